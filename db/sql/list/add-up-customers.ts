import type { Queryable } from '../../connect.ts';

const SQL = `
  with gone as (
    delete from customer_by_plan_change where (vendor_id, list, part, id) in (
      select vendor_id, list, part, id from customer_by_plan_change limit $1 for update skip locked
    ) returning vendor_id, list, part, customer_id, n
  ),
  added as (
    insert into customer_by_plan as kept (vendor_id, list, part, customer_id, n)
    select vendor_id, list, part, customer_id, sum(n) from gone group by 1, 2, 3, 4 having sum(n) <> 0 order by 1, 2, 3, 4
    on conflict (vendor_id, list, part, customer_id) do update set n = kept.n + excluded.n
    returning new.vendor_id, new.list, new.part, (new.n > 0)::int - (coalesce(old.n, 0) > 0)::int as n
  ),
  counted as (
    insert into list_count (vendor_id, list, part, n)
    select vendor_id, list, part, sum(n) from added group by 1, 2, 3 having sum(n) <> 0 order by 1, 2, 3
    on conflict (vendor_id, list, part) do update set n = list_count.n + excluded.n
  ),
  emptied as (
    delete from customer_by_plan where (vendor_id, list, part, customer_id) in (
      select b.vendor_id, b.list, b.part, b.customer_id from customer_by_plan b where b.n = 0 and not exists (
        select from gone g where (g.vendor_id, g.list, g.part, g.customer_id) = (b.vendor_id, b.list, b.part, b.customer_id)
      ) limit $1 for update of b skip locked
    )
  )
  select count(*)::int as n from gone`;

/**
 * Adds up to `most` contracts that began or ceased to live up to their customers, and to the counts of customers by a
 * plan and its name. SQL: one statement deletes them and adds them, so every reader counts each of them exactly once.
 * Customers that came to none by an earlier call are deleted with it: no row counts as none, too.
 *
 * @returns how many
 */
export async function addUpCustomers(db: Queryable, most: number): Promise<number> {
  const [row] = await db.query<{ n: number }>(SQL, [most]);
  return row?.n ?? 0;
}
