import type { Queryable } from '../../connect.ts';
import { OVERDUE } from './overdue.ts';

/**
 * How many rows of the wall clock are a minute past: contracts that stopped billing. SQL, because it scans the agenda
 * by the clock of Postgres.
 */
export async function countOverdue(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: string }>(`select count(*) from agenda a where ${OVERDUE}`);
  return Number(row?.count ?? 0);
}
