import type { Database } from '../../db/connect.ts';
import { Import, ImportLine } from '../../db/entities/import.ts';
import { erasePage } from '../../db/sql/erasure/erase-page.ts';
import { ERASED } from '../../db/sql/erasure/tables.ts';
import { importList, type ListedImport } from '../../db/sql/import/list.ts';
import { readNewest } from '../../db/sql/list/newest.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { addLines, createImport, type ImportCall } from '../../services/import/create.ts';
import { dryRunImport } from '../../services/import/dry-run.ts';
import { importBatch } from '../../services/import/import-batch.ts';
import { readImport } from '../../services/import/read.ts';
import { discardImport, resumeImport, startImport, stopImport } from '../../services/import/start.ts';
import { cleanUp, type Kept } from '../../services/retention/clean.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { countingReads } from '../support/rows-read.ts';

const LINES = 2_500;
const AT_ONCE = 1_000;
const YEAR = 365 * 86_400_000;
const KEPT: Kept = { answers: YEAR, messages: YEAR, tries: YEAR, events: null, prints: null, imports: YEAR };
const NOTHING = { total: 0, made: 0, repeated: 0, refused: 0 };

let own: OwnDatabase;
let db: Database;
let vendorId: string;
beforeAll(async () => {
  own = await ownDatabase();
  db = own.db;
  ({ vendorId } = await createVendor(db, 'imports'));
});
afterAll(() => own?.drop());

const within = <T>(call: Parameters<typeof db.transaction<T>>[0]): Promise<T> => db.transaction(call);
const linesOf = (importId: string, more: object = {}): Promise<number> => db.em().count(ImportLine, { importId, ...more });

/** An import of so many customers. */
async function loaded(lines: number): Promise<ImportCall> {
  const importId = await within((tx) => createImport(tx, vendorId));
  await db.query(
    `insert into import_line (import_id, number, type, position, ref_key, fingerprint, input)
       select $1, n, 'customer', n, $1 || n, 'f' || n, '{"type": "customer"}' from generate_series(1, $2::int) n`,
    [importId, lines],
  );
  await db.query('analyze import_line');
  return { vendorId, importId };
}

const waiting = (number: number, call: ImportCall) => ({
  number,
  type: 'customer' as const,
  refKey: `${call.importId}${number}`,
  fingerprint: `f${number}`,
  input: { type: 'customer' } as never,
});

it(`an import of ${LINES} lines is discarded at once, and its lines, which nobody sees any more, go in steps of ${AT_ONCE}`, async () => {
  const call = await loaded(LINES);
  const { importId } = call;
  const read = await within(async (tx) => {
    await discardImport(tx, call);
    const counting = Object.assign(countingReads(tx, ['import_line']), { em: tx.em });
    expect(await readImport(counting, call)).toMatchObject({ status: 'done', ended: expect.any(Number), ...NOTHING });
    return counting.read;
  });
  expect(read).toBe(0);
  expect(await linesOf(importId)).toBe(LINES);

  const listed = await readNewest<ListedImport>(db, importList(vendorId), null, 10);
  expect(listed.rows.find(({ id }) => id === importId)).toMatchObject({ status: 'done', waiting: 0, refused: 0 });
  const dry = await within((tx) => dryRunImport(tx, call, { after: null, named: 10 }));
  expect(dry).toMatchObject({ made: { customer: 0 }, waiting: 0, refused: [], after: null });
  for (const again of [startImport, resumeImport]) await within((tx) => again(tx, call));
  expect(await within((tx) => importBatch(tx, importId, null))).toEqual({ after: null, left: 0, failed: [] });
  await expect(within((tx) => addLines(tx, call, [waiting(1, call)]))).rejects.toMatchObject({ code: 'import_state' });

  const steps: number[] = [];
  const deleted = (what: string, rows: number) => void (what === 'imports' && steps.push(rows));
  while (await cleanUp(db, KEPT, { now: Date.now(), most: AT_ONCE, deleted }));
  expect(steps).toEqual([AT_ONCE, AT_ONCE, LINES - 2 * AT_ONCE]);
  expect(await linesOf(importId)).toBe(0);
});

it('what is being carried out is stopped without waiting, and discarded after it', async () => {
  const call = await loaded(150);
  const { importId } = call;
  await within((tx) => startImport(tx, call));
  const { discarded } = await within(async (tx) => {
    await importBatch(tx, importId, null);
    await within((other) => stopImport(other, call));
    const discarding = within((other) => discardImport(other, call));
    await eventually(async () => expect(await waitingFor(tx, db)).toBe(1));
    return { discarded: discarding };
  });
  await discarded;
  expect(await db.em().findOneOrFail(Import, { id: importId })).toMatchObject({ status: 'done' });
  expect([await linesOf(importId, { outcome: { $ne: null } }), await linesOf(importId, { outcome: null })]).toEqual([100, 50]);
  expect(await readImport({ em: db.em(), query: db.query.bind(db) }, call)).toMatchObject({ total: 100 });
});

it('an erasure blanks the line of its customer in a discarded import, which is not refused by that', async () => {
  const [discarded, open] = [await loaded(1), await loaded(1)];
  await within((tx) => discardImport(tx, discarded));
  const customer = blankCustomer(vendorId, null, Date.now());
  await within((tx) => insertCustomer(tx, customer, Date.now()));
  await db.query(
    `insert into import_ref (vendor_id, ref_key, object_id, customer_id, fingerprint)
       select $1, ref_key, $2, $2, 'x' from import_line where import_id = any($3::text[])`,
    [vendorId, customer.id, [discarded.importId, open.importId]],
  );
  const lines = ERASED.find(({ table }) => table === 'import_line');
  if (lines === undefined) throw new Error('no line of an import is erased');
  await within((tx) => erasePage(tx, lines, customer.id, null, 10));
  expect(await linesOf(discarded.importId, { input: null, outcome: null, code: null })).toBe(1);
  expect(await linesOf(open.importId, { input: null, outcome: 'refused', code: 'customer_erased' })).toBe(1);
});
