/**
 * SQL: the usage of periods, summed by contract, period and feature, in one pass over their events. The last marker by
 * (timestamp, arrival) sets the zero value; what counts is the marker itself and the events of its timestamp and later
 * ones, without a marker all events, discarded ones never. Once in all (`units`, `events`, units of the `marker`) and
 * once up to each period's `cut_at` (`units_until_now` …); a feature that has no event but discarded ones has no row.
 * The same rule as `billing/usage/sum.ts`, which the tests compare it with.
 *
 * @param periods SQL of rows (contract_id, idx, cut_at)
 */
export const usageSums = (periods: string): string => `
  with chosen as (${periods}),
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
    ${unitsBy('last', COUNTED)} as units, ${eventsBy('last', COUNTED)} as events, max(last.units) as marker,
    ${unitsBy('past', COUNTED_UNTIL_NOW)} as units_until_now, ${eventsBy('past', COUNTED_UNTIL_NOW)} as events_until_now,
    max(past.units) as marker_until_now
  from chosen
  join usage_event e on e.contract_id = chosen.contract_id and e.period_idx = chosen.idx
  left join last on last.contract_id = e.contract_id and last.period_idx = e.period_idx and last.feature_slug = e.feature_slug
  left join past on past.contract_id = e.contract_id and past.period_idx = e.period_idx and past.feature_slug = e.feature_slug
  where e.discarded_at is null
  group by e.contract_id, e.period_idx, e.feature_slug`;

const COUNTED = 'not e.is_absolute and (last.timestamp is null or e.timestamp >= last.timestamp)';
const COUNTED_UNTIL_NOW = `not e.is_absolute and e.timestamp <= chosen.cut_at and (past.timestamp is null or e.timestamp >= past.timestamp)`;

const unitsBy = (marker: string, counted: string): string =>
  `coalesce(max(${marker}.units), 0) + coalesce(sum(e.units) filter (where ${counted}), 0)`;
const eventsBy = (marker: string, counted: string): string => `least(count(${marker}.timestamp), 1) + count(*) filter (where ${counted})`;
