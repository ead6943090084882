import type { Queryable } from '../../connect.ts';
import { CHANGES_A_CONTRACT } from './late.ts';

/** One request carries out no more: what is left is done by a worker, or for the next one. */
const MOST = 10;

const SQL = `select a.contract_id as id from agenda a
  where a.customer_id = $1 and a.test_clock_id is null and not a.held and a.due_at <= now() and a.kind in (${CHANGES_A_CONTRACT})
  group by a.contract_id order by min(a.due_at), a.contract_id limit ${MOST}`;

/**
 * The first ten contracts of a customer of the wall clock for which something is due and undone that changes how they
 * stand, parked ones left out. SQL, because a row of the agenda is due by the clock of Postgres.
 */
export async function lateContracts(db: Queryable, customerId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(SQL, [customerId]);
  return rows.map(({ id }) => id);
}
