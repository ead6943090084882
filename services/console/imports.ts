import type { Database } from '../../db/connect.ts';
import { Import, ImportLine, type ImportLineRecord, type ImportRecord } from '../../db/entities/import.ts';
import { ApiKey } from '../../db/entities/vendor.ts';
import { importList, type ListedImport } from '../../db/sql/import/list.ts';
import { type Newest, readNewest } from '../../db/sql/list/newest.ts';
import { dryRunImport, type ImportDryRunResult, type RefusedLine } from '../import/dry-run.ts';
import { type ImportProgress, importProgressOf } from '../import/read.ts';
import type { ListPart } from './lists.ts';

/** A line that was refused. Its text is deleted, so that only its number in the file says which one it was. */
export type RefusedImportLine = Pick<ImportLineRecord, 'number' | 'type' | 'code' | 'problems' | 'objectId'>;

/** What the page of an import shows. */
export interface ImportView {
  own: ImportRecord;
  /** the name of the key that made it */
  keyName: string | null;
  progress: ImportProgress;
  refused: RefusedImportLine[];
  /** the line behind which further ones were refused; null: none were */
  nextRefused: number | null;
}

const LIST_ROWS = 10;
const REFUSED_ROWS = 50;

/** The vendor's imports, newest first. */
export const newestImports = (db: Database, vendorId: string, { after = null }: ListPart): Promise<Newest<ListedImport>> =>
  readNewest<ListedImport>(db, importList(vendorId), after, LIST_ROWS);

/**
 * An import of the vendor, and how far it has come; null when there is none.
 *
 * @param behind the line of its file behind which refused lines are shown
 */
export async function importView(db: Database, vendorId: string, importId: string, behind: number): Promise<ImportView | null> {
  const em = db.em();
  const own = await em.findOne(Import, { id: importId, vendorId });
  if (own === null) return null;
  const key = own.keyId === null ? null : await em.findOne(ApiKey, { id: own.keyId }, { fields: ['name'] });
  const lines = await em.find(
    ImportLine,
    { importId, outcome: 'refused', number: { $gt: behind } },
    { fields: ['number', 'type', 'code', 'problems', 'objectId'], orderBy: { number: 'asc' }, limit: REFUSED_ROWS + 1 },
  );
  const refused = lines.slice(0, REFUSED_ROWS);
  const nextRefused = lines.length > REFUSED_ROWS ? (refused.at(-1)?.number ?? null) : null;
  return { own, keyName: key?.name ?? null, progress: await importProgressOf(db, own), refused, nextRefused };
}

/** What an import would do, with all that it refuses of these lines. */
export interface ImportAhead extends Omit<ImportDryRunResult, 'refused'> {
  refused: { count: number; first: readonly RefusedLine[] };
}

/**
 * What an import would do, as far as that is computed within some seconds; nothing of it is kept. Lines that were
 * refused when they were added are in the first part.
 *
 * @param after the line behind which it goes on; null: from the first
 * @throws Refusal `import_not_found`
 */
export async function importAhead(db: Database, { own, progress, refused }: ImportView, after: number | null): Promise<ImportAhead> {
  const call = { vendorId: own.vendorId, importId: own.id };
  const run = await db.transaction((tx) => dryRunImport(tx, call, { after, named: 0 }));
  const [before, found] = after === null ? [progress.refused, refused] : [0, []];
  const first = [...found, ...run.refused].toSorted((a, b) => a.number - b.number).slice(0, REFUSED_ROWS);
  return { ...run, refused: { count: before + run.refused.length, first } };
}
