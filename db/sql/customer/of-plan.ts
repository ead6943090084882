import type { Queryable } from '../../connect.ts';
import { KEPT_COUNT } from '../list/kept-total.ts';

/** Statuses of contracts that haven't ended. */
export const LIVE_STATUSES = `('active', 'scheduled', 'pending', 'not_ready')`;

const OF_PLAN = `
  select (${KEPT_COUNT}) + (
    select count(distinct w.customer_id) from contract w
    where w.vendor_id = $1 and w.plan_id = $4 and w.status in ${LIVE_STATUSES} and w.is_successor
      and not exists (select from contract c where c.customer_id = w.customer_id and c.plan_id = $4 and c.status in ${LIVE_STATUSES} and not c.is_successor)
  ) as n`;

/**
 * How many customers have a contract of a plan, or one that a change to it will bring. SQL: the kept count, and those
 * of whom only the waiting change is of the plan, by an index of such contracts.
 */
export async function customersOfPlan(db: Queryable, vendorId: string, planId: string): Promise<number> {
  const [row] = await db.query<{ n: string }>(OF_PLAN, [vendorId, 'customer_of_plan', [planId], planId]);
  return Number(row?.n ?? 0);
}

/**
 * How many customers have a contract of a plan with this name. SQL: an index of live contracts by the name has all that
 * is counted, in the order of customers, so that no customer is read and none is sorted.
 */
export async function customersOfPlanName(db: Queryable, vendorId: string, name: string): Promise<number> {
  const [row] = await db.query<{ n: string }>(
    `select count(distinct c.customer_id) as n from contract c
     where c.vendor_id = $1 and c.status in ${LIVE_STATUSES} and c.plan_name = $2`,
    [vendorId, name],
  );
  return Number(row?.n ?? 0);
}
