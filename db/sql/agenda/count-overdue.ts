import type { Queryable } from '../../connect.ts';
import { OVERDUE } from './overdue.ts';

/** Counting further tells nobody more, and would take longer the worse things are. */
const MOST = 10_000;

/**
 * How many rows of the wall clock are a minute past, up to `MOST`: contracts that stopped billing. SQL, because it
 * scans the agenda by the clock of Postgres.
 */
export async function countOverdue(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: string }>(`select count(*) from (select from agenda a where ${OVERDUE} limit ${MOST}) few`);
  return Number(row?.count ?? 0);
}
