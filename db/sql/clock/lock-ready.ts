import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';

const SQL = `select id, now from test_clock where id = any($1::text[]) and status <> 'advancing' order by id for key share skip locked`;

/**
 * Locks test clocks that don't move, so that none begins to until the transaction ends; those that another transaction
 * is about to move are left out. SQL, because requests that arrive together lock their clocks in one statement.
 *
 * @returns the time of each
 */
export async function lockReadyClocks(tx: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, Instant>> {
  const rows = await tx.query<{ id: string; now: Instant }>(SQL, [ids]);
  return new Map(rows.map(({ id, now }) => [id, Math.floor(now)]));
}
