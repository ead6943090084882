import type { Queryable } from '../../connect.ts';

/** Statuses of contracts that haven't ended. */
export const LIVE_STATUSES = `('active', 'scheduled', 'pending', 'not_ready')`;

const SQL = `select count(distinct c.customer_id) as n from contract c where c.vendor_id = $1 and c.status in ${LIVE_STATUSES} and c.plan_name = $2`;

/**
 * How many customers have a contract of a plan with this name. SQL: the index of contracts by plan name has all that is
 * counted, in the order of customers, so that no customer is read.
 */
export async function customersOfPlan(db: Queryable, vendorId: string, planName: string): Promise<number> {
  const [row] = await db.query<{ n: string }>(SQL, [vendorId, planName]);
  return Number(row?.n ?? 0);
}
