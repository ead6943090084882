import type { Queryable } from '../../connect.ts';
import type { UsageMonth } from './months-to-make.ts';

/** Any number of our own, the same in every process. */
const LOCK = 7_305_112_002;

/** Processes that make partitions do it one after another. SQL, because it is a lock of Postgres' own. */
export async function lockMonths(tx: Queryable): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [LOCK]);
}

/**
 * Makes the partition of a month. SQL, because it makes a table. It is made first and attached then: that waits for
 * nobody who writes events.
 */
export async function makeMonth(tx: Queryable, { name, from, to }: UsageMonth): Promise<void> {
  await tx.query(`create table ${name} (like usage_event including all)`);
  await tx.query(`alter table usage_event attach partition ${name} for values from ('${from}') to ('${to}')`);
}
