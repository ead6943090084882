import type { Queryable } from '../../connect.ts';

/** Any number of our own, the same in every process. */
const LOCK = 7_305_112_003;

/**
 * Whether this transaction may delete old rows: one does at a time, and the others don't wait for it. SQL, because it
 * is a lock of Postgres' own.
 */
export async function isOnlyCleaner(tx: Queryable): Promise<boolean> {
  const [row] = await tx.query<{ isMine: boolean }>('select pg_try_advisory_xact_lock($1) as "isMine"', [LOCK]);
  return row?.isMine ?? false;
}
