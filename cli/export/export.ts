import { howMany } from '../../billing/how-many.ts';
import type { Database } from '../../db/connect.ts';
import { changesAfter, type ExportPage } from '../../db/export/changes.ts';
import type { ExportNoun } from '../../db/export/nouns.ts';
import { exportServer } from '../../db/sql/export/server.ts';
import { vendorExists } from '../../db/vendor-account/vendors.ts';
import { CommandError, type RunCommand } from '../run.ts';
import { type Output, untilStopped } from '../until-stopped.ts';
import { withConfiguredDatabase } from '../with-database.ts';
import { cursorText, type ExportCursor, scopeOf } from './cursor.ts';
import { cursorOfFile, keepCursor } from './cursor-file.ts';
import { SHOWN_ROWS } from './nouns.ts';

interface ExportOptions {
  vendor: string;
  after?: ExportCursor;
  cursorFile?: string;
}

/** Prints the rows of a noun that were changed behind a cursor, each with its own cursor, up to what is settled now. */
export const runExport: RunCommand = ({ args, options, progress }) =>
  withConfiguredDatabase(async (db) => {
    const [noun, { vendor, after, cursorFile }] = [args[0] as ExportNoun, options as unknown as ExportOptions];
    if (!(await vendorExists(db.em(), vendor))) throw new CommandError(`there is no vendor ${vendor}: vendor list tells their ids`);
    const given = after ?? (cursorFile === undefined ? null : cursorOfFile(cursorFile));
    const { name: server, settled } = await exportServer(db);
    const scope = scopeOf(server, vendor);
    const printed: Printed = { noun, scope, rows: 0, cursor: given === null ? null : cursorText(given) };
    const from = placeOf(given, noun, scope);
    const ended = await untilStopped(async (output) => {
      for await (const page of changesAfter(db, { noun, vendorId: vendor, after: from, settled }))
        await print(db, vendor, page, { output, printed, cursorFile });
      return true;
    });
    progress(`${ended === null ? 'Stopped after' : 'Exported'} ${howMany(printed.rows, 'row')}.`);
    if (printed.cursor !== null) progress(`To go on from here: --after ${printed.cursor}`);
    return 0;
  });

/** A cursor says nothing of another noun or vendor, nor of another server, which counts its transactions by itself. */
function placeOf(given: ExportCursor | null, noun: ExportNoun, scope: string): ExportCursor['place'] {
  if (given === null) return { xid: 0n, id: '' };
  if (given.noun !== noun) throw new CommandError(`this is a cursor of export ${given.noun}, not of export ${noun}`);
  if (given.scope === scope) return given.place;
  throw new CommandError(
    'this cursor is of another vendor, of another database server, or of this one before a restore or a fail-over, where other transactions had its numbers: export without it, from the beginning',
  );
}

interface Printed {
  noun: ExportNoun;
  scope: string;
  rows: number;
  /** of the last line that was printed, or of where the last page ended */
  cursor: string | null;
}

interface Printing {
  output: Output;
  printed: Printed;
  cursorFile: string | undefined;
}

/** The file follows the output: it never has a cursor whose rows were not printed. */
async function print(db: Database, vendorId: string, { rows, upTo }: ExportPage, { output, printed, cursorFile }: Printing): Promise<void> {
  const { noun, scope } = printed;
  const shown = await SHOWN_ROWS[noun](
    db,
    vendorId,
    rows.map(({ row }) => row),
  );
  for (const [index, { place }] of rows.entries()) {
    const cursor = cursorText({ noun, scope, place });
    await output.line(JSON.stringify({ cursor, ...shown[index] }));
    printed.cursor = cursor;
    printed.rows += 1;
  }
  output.stopped.throwIfAborted();
  printed.cursor = cursorText({ noun, scope, place: upTo });
  if (cursorFile !== undefined) await keepCursor(cursorFile, printed.cursor);
}
