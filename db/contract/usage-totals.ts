import type { Instant } from '../../billing/calendar/instant.ts';
import type { UsageTotal } from '../../billing/contract/types.ts';
import type { Queryable } from '../connect.ts';
import { stamp } from '../rows.ts';

interface TotalRow {
  contract_id: string;
  period_idx: number;
  feature_slug: string;
  units: string;
  events: string;
  units_until_now: string;
  events_until_now: string;
}

/** What counts by a marker `m`, or by none: the marker itself, events of its timestamp and later ones. */
const unitsBy = (m: string, counted: string): string =>
  `trim_scale(coalesce(max(${m}.units), 0) + coalesce(sum(e.units) filter (where ${counted}), 0))::text`;
const eventsBy = (m: string, counted: string): string => `(least(count(${m}.timestamp), 1) + count(*) filter (where ${counted}))::text`;
const COUNTED = 'not e.is_absolute and (last.timestamp is null or e.timestamp >= last.timestamp)';
const COUNTED_UNTIL_NOW = `not e.is_absolute and e.timestamp <= chosen.cut_at and (past.timestamp is null or e.timestamp >= past.timestamp)`;

/**
 * Sums events by contract, period and feature, once in all and once up to an instant, in one pass. The last marker by (timestamp, arrival) sets
 * the zero value; events of its timestamp count as after it. The same rule as `billing/usage/sum.ts`, which the tests compare it with.
 */
const SUM = `
  with chosen as (select * from %PERIODS%),
  marker as (
    select distinct on (m.contract_id, m.period_idx, m.feature_slug, cut.until_now)
      m.contract_id, m.period_idx, m.feature_slug, cut.until_now, m.units, m.timestamp
    from chosen join usage_event m on m.contract_id = chosen.contract_id and m.period_idx = chosen.idx and m.is_absolute
    cross join (values (false), (true)) as cut(until_now)
    where m.discarded_at is null and (not cut.until_now or m.timestamp <= chosen.cut_at)
    order by m.contract_id, m.period_idx, m.feature_slug, cut.until_now, m.timestamp desc, m.seq desc
  ),
  last as (select * from marker where not until_now),
  past as (select * from marker where until_now)
  select e.contract_id, e.period_idx, e.feature_slug,
    ${unitsBy('last', COUNTED)} as units, ${eventsBy('last', COUNTED)} as events,
    ${unitsBy('past', COUNTED_UNTIL_NOW)} as units_until_now, ${eventsBy('past', COUNTED_UNTIL_NOW)} as events_until_now
  from chosen
  join usage_event e on e.contract_id = chosen.contract_id and e.period_idx = chosen.idx
  left join last on last.contract_id = e.contract_id and last.period_idx = e.period_idx and last.feature_slug = e.feature_slug
  left join past on past.contract_id = e.contract_id and past.period_idx = e.period_idx and past.feature_slug = e.feature_slug
  where e.discarded_at is null
  group by e.contract_id, e.period_idx, e.feature_slug
  order by e.contract_id, e.period_idx, e.feature_slug`;

const OF_OPEN = SUM.replace(
  '%PERIODS%',
  `unnest($1::text[], $2::timestamptz[]) as asked(contract_id, cut_at) join usage_period using (contract_id) where status <> 'closed'`,
);
const OF_GIVEN = SUM.replace('%PERIODS%', `jsonb_to_recordset($1::jsonb) as given(contract_id text, idx int, cut_at timestamptz)`);

/** Totals of all periods not yet closed; `cuts` = for each contract the instant `…UntilNow` is read for. */
export async function usageOfOpenPeriods(tx: Queryable, cuts: ReadonlyMap<string, Instant>): Promise<UsageTotal[]> {
  const rows = await tx.query<TotalRow>(OF_OPEN, [[...cuts.keys()], [...cuts.values()].map(stamp)]);
  return rows.map(toTotal);
}

/** Totals of the given periods, whatever their state. */
export async function usageOfPeriods(
  tx: Queryable,
  periods: readonly { contractId: string; idx: number }[],
  now: Instant,
): Promise<UsageTotal[]> {
  if (periods.length === 0) return [];
  const given = JSON.stringify(periods.map(({ contractId, idx }) => ({ contract_id: contractId, idx, cut_at: stamp(now) })));
  return (await tx.query<TotalRow>(OF_GIVEN, [given])).map(toTotal);
}

const toTotal = (row: TotalRow): UsageTotal => ({
  contractId: row.contract_id,
  periodIdx: row.period_idx,
  slug: row.feature_slug,
  units: row.units,
  events: Number(row.events),
  unitsUntilNow: row.units_until_now,
  eventsUntilNow: Number(row.events_until_now),
});
