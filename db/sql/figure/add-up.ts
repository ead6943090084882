import type { Queryable } from '../../connect.ts';

const SQL = `
  with gone as (
    delete from figure_sum_change where (vendor_id, clock_id, figure, id) in (
      select vendor_id, clock_id, figure, id from figure_sum_change limit $1 for update skip locked
    ) returning vendor_id, clock_id, figure, part, currency, day, amount, n
  ),
  added as (
    insert into figure_sum (vendor_id, clock_id, figure, part, currency, day, amount, n)
    select vendor_id, clock_id, figure, part, currency, day, sum(amount), sum(n) from gone group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    on conflict (vendor_id, clock_id, figure, part, currency, day)
      do update set amount = figure_sum.amount + excluded.amount, n = figure_sum.n + excluded.n
  )
  select count(*)::int as n from gone`;

/**
 * Adds up to `most` changes up into the kept sums of figures. SQL: one statement deletes them and adds them, so every
 * reader counts each of them exactly once.
 *
 * @returns how many
 */
export async function addUpFigures(db: Queryable, most: number): Promise<number> {
  const [row] = await db.query<{ n: number }>(SQL, [most]);
  return row?.n ?? 0;
}
