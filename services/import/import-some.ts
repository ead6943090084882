import type { Database } from '../../db/connect.ts';
import { Import, ImportLine, type ImportStatus } from '../../db/entities/import.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import { inTurns } from '../../db/turns.ts';
import type { BatchDone } from './import-batch.ts';
import { importBatch, importerOf } from './import-batch.ts';
import { type ImportProgress, importProgressOf } from './read.ts';

/** No further transaction begins after so many milliseconds; the workflow then calls again. */
const BUDGET_MS = 10_000;

/** How far an import has come. */
interface ImportedSome extends Omit<ImportProgress, 'madeOf'> {
  status: ImportStatus;
  after: string | null;
  isWaiting: boolean;
  failed: BatchDone['failed'];
}

/** The transactions of all imports in this process. */
const inTurn = inTurns();

/**
 * Goes on with an import: carries out the next of the lines that have no outcome yet, a hundred in a transaction. With
 * the last of them it is done.
 *
 * @param after the place that its round has come to; null: the round begins
 */
export async function importSome(db: Database, importId: string, after: string | null): Promise<ImportedSome> {
  const { keyId } = await db.em().findOneOrFail(Import, { id: importId });
  const until = performance.now() + BUDGET_MS;
  const failed: BatchDone['failed'] = [];
  let place = after;
  let left = 0;
  do {
    const from = place;
    const done = await inTurn(() => db.transaction((tx) => importBatch(tx, importId, from), { prepare: true, caller: importerOf(keyId) }));
    place = done.after;
    left += done.left;
    failed.push(...done.failed);
  } while (place !== null && performance.now() < until);
  if (place === null) await endIfDone(db, importId);
  const own = await db.em().findOneOrFail(Import, { id: importId });
  const { madeOf: _, ...progress } = await importProgressOf(db, own);
  return { status: own.status, ...progress, after: place, isWaiting: place === null && left > 0, failed };
}

function endIfDone(db: Database, importId: string): Promise<void> {
  return db.transaction(async ({ em }) => {
    const own = await em.findOneOrFail(Import, { id: importId }, FOR_UPDATE);
    if (own.status !== 'running' || (await em.count(ImportLine, { importId, outcome: null })) > 0) return;
    em.assign(own, { status: 'done', ended: Date.now() });
  });
}
