import type { Instant } from '../../../billing/calendar/instant.ts';
import type { UsageTotal } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import type { PartKey } from '../usage/part.ts';

type Row = Omit<UsageTotal, 'events' | 'eventsUntilNow'> & { events: string; eventsUntilNow: string; hasLater: boolean };

const COLUMNS = `u.contract_id as "contractId", u.period_idx as "periodIdx", u.feature_slug as slug, trim_scale(u.own_units)::text as units,
  u.own_events::text as events, trim_scale(u.marker)::text as marker`;
/** Each step is a look-up by key, whatever the planner knows of the tables. */
const FROM = `unnest($1::text[], $2::int[], $3::timestamptz[]) as k(contract_id, idx, cut_at)
  cross join lateral (
    select * from usage_counter c where c.contract_id = k.contract_id and c.period_idx = k.idx and c.own_events > 0 offset 0
  ) u`;
const ORDER = 'order by u.contract_id, u.period_idx, u.feature_slug';

const WHOLE = `
  select ${COLUMNS}, trim_scale(u.own_units)::text as "unitsUntilNow", u.own_events::text as "eventsUntilNow",
    trim_scale(u.marker)::text as "markerUntilNow", u.latest_at > k.cut_at as "hasLater"
  from ${FROM} ${ORDER}`;

/**
 * Events later than the cut are taken off the sum. Where the last marker is among them, the one before it counts up to
 * the cut, and what follows it until then is summed.
 */
const CUT = `
  select ${COLUMNS}, trim_scale(coalesce(past.units, u.own_units - later.units))::text as "unitsUntilNow",
    coalesce(past.events, u.own_events - later.events)::text as "eventsUntilNow",
    trim_scale(case when past.units is null then u.marker else past.marker end)::text as "markerUntilNow", false as "hasLater"
  from ${FROM}
  cross join lateral (
    select coalesce(sum(e.units), 0) as units, count(*) as events from usage_event e
    where u.latest_at > k.cut_at and (u.marker_at is null or u.marker_at <= k.cut_at)
      and e.contract_id = u.contract_id and e.period_idx = u.period_idx and e.feature_slug = u.feature_slug and e.timestamp > k.cut_at
      and not e.is_absolute and e.discarded_at is null
  ) later
  left join lateral (
    select coalesce(m.units, 0) + s.units as units, case when m.units is null then 0 else 1 end + s.events as events, m.units as marker
    from (values (true)) one
    left join lateral (
      select m.units, m.timestamp from usage_event m
      where m.contract_id = u.contract_id and m.period_idx = u.period_idx and m.feature_slug = u.feature_slug and m.timestamp <= k.cut_at
        and m.is_absolute and m.discarded_at is null
      order by m.timestamp desc, m.seq desc limit 1
    ) m on true
    cross join lateral (
      select coalesce(sum(e.units), 0) as units, count(*) as events from usage_event e
      where e.contract_id = u.contract_id and e.period_idx = u.period_idx and e.feature_slug = u.feature_slug and e.timestamp <= k.cut_at
        and e.timestamp >= coalesce(m.timestamp, '-infinity') and not e.is_absolute and e.discarded_at is null
    ) s
    where u.marker_at > k.cut_at
  ) past on true
  ${ORDER}`;

/**
 * Totals of usage periods by feature, from their counters; a feature that has no event but discarded ones has none.
 * Where a counter knows of events later than the cut, counters and events are read again, in one statement. SQL: what
 * every step and every estimate of a contract reads, for many contracts at once.
 *
 * @param cutOf the instant that `…UntilNow` of a contract is read for
 */
export async function usageOfPeriods(
  tx: Queryable,
  periods: readonly PartKey[],
  cutOf: (contractId: string) => Instant,
): Promise<UsageTotal[]> {
  if (periods.length === 0) return [];
  const params = [
    periods.map(({ contractId }) => contractId),
    periods.map(({ idx }) => idx),
    periods.map(({ contractId }) => stamp(cutOf(contractId))),
  ];
  const whole = await tx.query<Row>(WHOLE, params);
  const rows = whole.some(({ hasLater }) => hasLater) ? await tx.query<Row>(CUT, params) : whole;
  return rows.map(({ hasLater: _, ...row }) => ({ ...row, events: Number(row.events), eventsUntilNow: Number(row.eventsUntilNow) }));
}
