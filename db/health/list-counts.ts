import type { Queryable } from '../connect.ts';
import { CUSTOMERS_MORE, LIVE_STATUSES } from '../sql/customer/of-plan.ts';
import { FINDINGS_READ } from './most-findings.ts';

/** A kept count that differs from the number of rows. */
export interface WrongListCount {
  vendorId: string;
  list: string;
  /** the status, type, feature or plan */
  part: string;
  kept: string;
  counted: string;
}

const rows = (table: string, part: string): string => `select vendor_id, ${part} as part from ${table}`;
const customersBy = (part: string): string =>
  `select distinct vendor_id, ${part} as part, customer_id from contract where status in ${LIVE_STATUSES}`;

/** What triggers count, by the name of the list. */
const COUNTED = {
  customer: rows('customer', 'status'),
  contract: rows('contract', 'status'),
  invoice: rows('invoice', 'status'),
  event: rows('event', 'type'),
  usage_event: rows('usage_event', 'feature_slug'),
  contract_of_plan: rows('contract', `plan_id || ' ' || status`),
  customer_of_plan: customersBy('plan_id'),
  customer_of_plan_name: customersBy('plan_name'),
};

/** One statement, and so one snapshot: what is written meanwhile is in both or in neither. */
const wrong = (list: string, counted: string): string => `
  select vendor_id as "vendorId", '${list}' as list, part, sum(kept) as kept, sum(counted) as counted from (
    select vendor_id, part, n as kept, 0 as counted from list_count where list = '${list}'
    union all select vendor_id, part, n, 0 from list_count_change where list = '${list}'
    union all select d.vendor_id, d.part, ${CUSTOMERS_MORE}, 0 from (
      select vendor_id, part, customer_id, sum(n) as n from customer_by_plan_change where list = '${list}' group by 1, 2, 3
    ) d left join customer_by_plan b on (b.vendor_id, b.list, b.part, b.customer_id) = (d.vendor_id, '${list}', d.part, d.customer_id)
    union all select vendor_id, part, 0, count(*) from (${counted}) there group by 1, 2
  ) counts group by vendor_id, part having sum(kept) <> sum(counted) order by 1, 3 limit ${FINDINGS_READ}`;

/** The numbers of rows that lists show, where they are kept and wrong. They are counted over all rows of a table. */
export async function wrongListCounts(db: Queryable): Promise<WrongListCount[]> {
  const found: WrongListCount[] = [];
  for (const [list, counted] of Object.entries(COUNTED)) found.push(...(await db.query<WrongListCount>(wrong(list, counted))));
  return found;
}
