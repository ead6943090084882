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

const SQL = `
  with recursive asked as (
    select * from unnest($1::text[], $2::int[], $3::text[], $4::timestamptz[], $5::boolean[])
      with ordinality as a(contract_id, idx, slug, until, is_end, place)
    where not a.is_end or exists (
      select from usage_event e where e.contract_id = a.contract_id and e.period_idx = a.idx and e.feature_slug = a.slug
        and e.discarded_at is null and e.timestamp = a.until)
  ),
  part as (
    select a.place, a.slug, a.until, p.contract_id, p.idx, p.follows_contract_id, p.follows_idx, 0 as depth
    from asked a join usage_period p on p.contract_id = a.contract_id and p.idx = a.idx
    union all
    select part.place, part.slug, part.until, p.contract_id, p.idx, p.follows_contract_id, p.follows_idx, part.depth + 1
    from part join usage_period p on p.contract_id = part.follows_contract_id and p.idx = part.follows_idx
    where p.goes_on @> ${sourceOf('part.slug')}
  )
  select part.place::int as place, coalesce(marker.units, 0) + coalesce(sum(e.units), 0) as units, marker.units as marker, count(e.id)::int as events
  from part
  left join lateral (
    select m.units, m.timestamp from usage_event m
    where m.contract_id = part.contract_id and m.period_idx = part.idx and m.feature_slug = part.slug and m.is_absolute
      and m.discarded_at is null and m.timestamp < part.until
    order by m.timestamp desc, m.seq desc limit 1
  ) marker on true
  left join usage_event e on e.contract_id = part.contract_id and e.period_idx = part.idx and e.feature_slug = part.slug
    and e.discarded_at is null and not e.is_absolute and e.timestamp < part.until
    and (marker.timestamp is null or e.timestamp >= marker.timestamp)
  group by part.place, part.depth, marker.units
  order by part.place, part.depth desc`;

/**
 * The usage of periods up to instants within them, for each question the parts that are one sum with the period, oldest
 * first: the same rule as `usageSums` (`db/sql/usage/sum.ts`), cut at the event time. SQL, because it follows the
 * periods back, and sums events.
 */
export const unitsUntil = (db: Queryable, cuts: readonly UsageCut[]): Promise<CutTotal[]> =>
  db.query<CutTotal>(SQL, [
    cuts.map(({ contractId }) => contractId),
    cuts.map(({ idx }) => idx),
    cuts.map(({ slug }) => slug),
    cuts.map(({ until }) => stamp(until)),
    cuts.map(({ isEnd }) => isEnd),
  ]);
