import type { CalendarWindow, LimitWindow } from '../../../billing/usage/limit.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/** A day or an hour of a customer's feature. */
export interface WindowKey extends CalendarWindow {
  customerId: string;
  slug: string;
  window: Exclude<LimitWindow, 'period'>;
}

interface WindowRow {
  /** place of the key among those asked for, from 1 */
  n: number;
  units: string;
}

/** What counts: markers decide in each usage period which events do. The same rule as in `sum.ts`. */
const SUM = `select coalesce(sum(e.units), 0) from usage_event e
  where e.customer_id = k.customer_id and e.feature_slug = k.slug and e.timestamp >= k.began and e.timestamp < k.ended
    and e.discarded_at is null and not exists (
      select from usage_event m where m.contract_id = e.contract_id and m.period_idx = e.period_idx and m.feature_slug = e.feature_slug
        and m.is_absolute and m.discarded_at is null
        and (m.timestamp > e.timestamp or (e.is_absolute and m.timestamp = e.timestamp and m.seq > e.seq))
    )`;

const SQL = `with asked as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[]) with ordinality
      as k(customer_id, slug, time_window, began, ended, n)
  ),
  found as (
    select k.*, w.units from asked k
    left join usage_window w on w.customer_id = k.customer_id and w.feature_slug = k.slug and w.time_window = k.time_window and w.began = k.began
  ),
  made as (
    insert into usage_window (customer_id, feature_slug, time_window, began, units)
    select k.customer_id, k.slug, k.time_window, k.began, (${SUM}) from found k where k.units is null
    returning customer_id, feature_slug, time_window, began, units
  ),
  old as (
    delete from usage_window w using made m
    where w.customer_id = m.customer_id and w.feature_slug = m.feature_slug and w.time_window = m.time_window
      and w.began < m.began - interval '7 days'
  )
  select f.n::int, coalesce(f.units, m.units) as units from found f
  left join made m on m.customer_id = f.customer_id and m.feature_slug = f.slug and m.time_window = f.time_window and m.began = f.began`;

/**
 * Units counted in days and hours. What isn't kept yet is summed from the events and kept from now on; rows a week
 * older go with it. The caller has locked the customer. SQL: the sum of a window without a row is part of the read.
 *
 * @returns units in the order of the keys, each of which is asked for once
 */
export async function windowUnits(tx: Queryable, keys: readonly WindowKey[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<WindowRow>(SQL, [
    keys.map(({ customerId }) => customerId),
    keys.map(({ slug }) => slug),
    keys.map(({ window }) => window),
    keys.map(({ from }) => stamp(from)),
    keys.map(({ to }) => stamp(to)),
  ]);
  const units = new Map(rows.map((row) => [row.n, row.units]));
  return keys.map((_, at) => units.get(at + 1) ?? '0');
}
