import type { Queryable } from '../../connect.ts';

const SQL = `
  with gone as (
    delete from list_count_change where (vendor_id, list, id) in (
      select vendor_id, list, id from list_count_change limit $1 for update skip locked
    ) returning vendor_id, list, part, n
  ),
  added as (
    insert into list_count (vendor_id, list, part, n) select vendor_id, list, part, sum(n) from gone group by 1, 2, 3 order by 1, 2, 3
    on conflict (vendor_id, list, part) do update set n = list_count.n + excluded.n
  )
  select count(*)::int as n from gone`;

/**
 * Adds up to `most` changes up into the counts of lists. SQL: one statement deletes them and adds them, so every reader
 * counts each of them exactly once.
 *
 * @returns how many
 */
export async function addUpChanges(db: Queryable, most: number): Promise<number> {
  const [row] = await db.query<{ n: number }>(SQL, [most]);
  return row?.n ?? 0;
}
