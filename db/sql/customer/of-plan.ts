import type { Queryable } from '../../connect.ts';

/** Statuses of contracts that haven't ended. */
export const LIVE_STATUSES = `('active', 'scheduled', 'pending', 'not_ready')`;

const COLUMNS = { id: 'plan_id', name: 'plan_name' };

/**
 * How many customers have a contract of a plan with this id or name. SQL: an index of live contracts by each has all
 * that is counted, in the order of customers, so that no customer is read and none is sorted.
 */
export async function customersOfPlan(db: Queryable, vendorId: string, by: keyof typeof COLUMNS, wanted: string): Promise<number> {
  const [row] = await db.query<{ n: string }>(
    `select count(distinct c.customer_id) as n from contract c
     where c.vendor_id = $1 and c.status in ${LIVE_STATUSES} and c.${COLUMNS[by]} = $2`,
    [vendorId, wanted],
  );
  return Number(row?.n ?? 0);
}
