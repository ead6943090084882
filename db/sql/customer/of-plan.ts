import type { Queryable } from '../../connect.ts';

/** Statuses of contracts that haven't ended. */
export const LIVE_STATUSES = `('active', 'scheduled', 'pending', 'not_ready')`;

type PlanList = 'customer_of_plan' | 'customer_of_plan_name';

/** SQL: what changes `d` of a customer, who was added up as `b`, make of how many customers there are. */
export const CUSTOMERS_MORE = '(coalesce(b.n, 0) + d.n > 0)::int - (coalesce(b.n, 0) > 0)::int';

const SQL = `
  select coalesce((select c.n from list_count c where c.vendor_id = $1 and c.list = $2 and c.part = $3), 0) + coalesce((
    select sum(${CUSTOMERS_MORE})
    from (
      select customer_id, sum(n) as n from customer_by_plan_change where vendor_id = $1 and list = $2 and part = $3 group by customer_id
    ) d left join customer_by_plan b on (b.vendor_id, b.list, b.part, b.customer_id) = ($1, $2, $3, d.customer_id)
  ), 0) as n`;

/**
 * How many customers have a contract of a plan or of plans with a name, or one that a change to it will bring. SQL: the
 * kept count, and what the changes not yet added up make of it, in one snapshot.
 */
export async function customersOfPlan(db: Queryable, vendorId: string, list: PlanList, part: string): Promise<number> {
  const [row] = await db.query<{ n: string }>(SQL, [vendorId, list, part]);
  return Number(row?.n ?? 0);
}
