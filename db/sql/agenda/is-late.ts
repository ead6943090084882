import type { Queryable } from '../../connect.ts';
import { isCustomerLate } from './late.ts';

const SQL = `select c.status <> 'inactive' and c.test_clock_id is null and ${isCustomerLate('c.id')} as "isLate" from customer c where c.id = $1`;

/**
 * Whether something is due and undone that changes how the contracts of a customer stand, unless it is frozen. SQL,
 * because a row of the agenda is due by the clock of Postgres.
 */
export async function isLate(db: Queryable, customerId: string): Promise<boolean> {
  const [row] = await db.query<{ isLate: boolean }>(SQL, [customerId]);
  return row?.isLate ?? false;
}
