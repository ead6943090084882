import type { Instant } from '../../../billing/calendar/instant.ts';
import type { UsageTotal } from '../../../billing/usage/types.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { sourceOf } from '../usage/part.ts';

/** What is asked: the usage of a feature in a period up to an instant, and without it. */
export interface UsageCut {
  contractId: string;
  idx: number;
  slug: string;
  until: Instant;
  /** at the end of what is charged: counted only where an event of this instant is in the period, which is rare */
  isEnd: boolean;
}

/** What a part of the billing period comes to by then; `place` is that of the question. */
type CutTotal = { place: number } & Pick<UsageTotal, 'units' | 'marker' | 'events'>;

/**
 * SQL: whether an event was counted when its period was charged. One that was reported, amended or discarded later is
 * charged by a correction, a line of its own, and doesn't divide this one otherwise.
 */
const wasCounted = (event: string, closedAt: string): string =>
  `case when ${event}.corrected then ${event}.arrived_at < ${closedAt} else ${event}.discarded_at is null end`;

/** SQL: the units of an event as they were charged. */
const unitsCharged = (event: string, closedAt: string): string =>
  `case when ${event}.corrected then coalesce((
      select h.units_before from usage_event_history h where h.event_id = ${event}.id and h.at >= ${closedAt} order by h.id limit 1
    ), ${event}.units) else ${event}.units end`;

const SQL = `
  with recursive asked as (
    select * from unnest($1::text[], $2::int[], $3::text[], $4::timestamptz[], $5::boolean[])
      with ordinality as a(contract_id, idx, slug, until, is_end, place)
    where not a.is_end or exists (
      select from usage_period p join usage_event e on e.contract_id = p.contract_id and e.period_idx = p.idx
      where p.contract_id = a.contract_id and p.idx = a.idx and e.feature_slug = a.slug
        and ${wasCounted('e', 'p.closed_at')} and e.timestamp = a.until)
  ),
  part as (
    select a.place, a.slug, a.until, p.contract_id, p.idx, p.follows_contract_id, p.follows_idx, p.closed_at, 0 as depth
    from asked a join usage_period p on p.contract_id = a.contract_id and p.idx = a.idx
    union all
    select part.place, part.slug, part.until, p.contract_id, p.idx, p.follows_contract_id, p.follows_idx, part.closed_at, part.depth + 1
    from part join usage_period p on p.contract_id = part.follows_contract_id and p.idx = part.follows_idx
    where p.goes_on @> ${sourceOf('part.slug')}
  )
  select part.place::int as place, coalesce(marker.units, 0) + coalesce(sum(${unitsCharged('e', 'part.closed_at')}), 0) as units, marker.units as marker, count(e.id)::int as events
  from part
  left join lateral (
    select ${unitsCharged('m', 'part.closed_at')} as units, m.timestamp from usage_event m
    where m.contract_id = part.contract_id and m.period_idx = part.idx and m.feature_slug = part.slug and m.is_absolute
      and ${wasCounted('m', 'part.closed_at')} and m.timestamp < part.until
    order by m.timestamp desc, m.seq desc limit 1
  ) marker on true
  left join usage_event e on e.contract_id = part.contract_id and e.period_idx = part.idx and e.feature_slug = part.slug
    and ${wasCounted('e', 'part.closed_at')} and not e.is_absolute and e.timestamp < part.until
    and (marker.timestamp is null or e.timestamp >= marker.timestamp)
  group by part.place, part.depth, marker.units
  order by part.place, part.depth desc`;

/**
 * The usage of periods up to instants within them, for each question the parts that are one sum with the period, oldest
 * first: the same rule as `usageSums` (`db/sql/usage/sum.ts`), cut at the event time, with the events as they were
 * charged. SQL, because it follows the periods back, and sums events.
 */
export const unitsUntil = (db: Queryable, cuts: readonly UsageCut[]): Promise<CutTotal[]> =>
  db.query<CutTotal>(SQL, [
    cuts.map(({ contractId }) => contractId),
    cuts.map(({ idx }) => idx),
    cuts.map(({ slug }) => slug),
    cuts.map(({ until }) => stamp(until)),
    cuts.map(({ isEnd }) => isEnd),
  ]);
