import type { Instant } from '../../billing/calendar/instant.ts';
import type { UsageTotal } from '../../billing/contract/types.ts';
import type { Queryable } from '../connect.ts';
import { stamp } from '../rows.ts';

interface TotalRow {
  contract_id: string;
  period_idx: number;
  feature_slug: string;
  until_now: boolean;
  units: string;
  events: string;
}

/**
 * Sums events by contract, period and feature, once in all and once up to an instant. The last marker by (timestamp, arrival) sets the
 * zero value; events of its timestamp count as after it. The same rule as `billing/usage/sum.ts`, which the tests compare it with.
 */
const SUM = `
  with chosen as (select * from %PERIODS%),
  seen as (
    select e.contract_id, e.period_idx, e.feature_slug, e.units, e.is_absolute, e.timestamp, e.seq, cut.until_now
    from chosen join usage_event e on e.contract_id = chosen.contract_id and e.period_idx = chosen.idx
    cross join (values (false), (true)) as cut(until_now)
    where e.discarded_at is null and (not cut.until_now or e.timestamp <= chosen.cut_at)
  ),
  marker as (
    select distinct on (contract_id, period_idx, feature_slug, until_now) contract_id, period_idx, feature_slug, until_now, units, timestamp
    from seen where is_absolute
    order by contract_id, period_idx, feature_slug, until_now, timestamp desc, seq desc
  )
  select s.contract_id, s.period_idx, s.feature_slug, s.until_now,
    trim_scale(coalesce(max(m.units), 0) + coalesce(sum(s.units) filter (where not s.is_absolute and (m.timestamp is null or s.timestamp >= m.timestamp)), 0))::text as units,
    ((count(*) filter (where not s.is_absolute and (m.timestamp is null or s.timestamp >= m.timestamp))) + (case when max(m.timestamp) is null then 0 else 1 end))::text as events
  from seen s left join marker m using (contract_id, period_idx, feature_slug, until_now)
  group by s.contract_id, s.period_idx, s.feature_slug, s.until_now`;

const OF_OPEN = SUM.replace(
  '%PERIODS%',
  `unnest($1::text[], $2::timestamptz[]) as asked(contract_id, cut_at) join usage_period using (contract_id) where status <> 'closed'`,
);
const OF_GIVEN = SUM.replace('%PERIODS%', `jsonb_to_recordset($1::jsonb) as given(contract_id text, idx int, cut_at timestamptz)`);

/** Totals of all periods not yet closed; `cuts` = for each contract the instant `…UntilNow` is read for. */
export async function usageOfOpenPeriods(tx: Queryable, cuts: ReadonlyMap<string, Instant>): Promise<UsageTotal[]> {
  return paired(await tx.query<TotalRow>(OF_OPEN, [[...cuts.keys()], [...cuts.values()].map(stamp)]));
}

/** Totals of the given periods, whatever their state. */
export async function usageOfPeriods(
  tx: Queryable,
  periods: readonly { contractId: string; idx: number }[],
  now: Instant,
): Promise<UsageTotal[]> {
  if (periods.length === 0) return [];
  const given = JSON.stringify(periods.map(({ contractId, idx }) => ({ contract_id: contractId, idx, cut_at: stamp(now) })));
  return paired(await tx.query<TotalRow>(OF_GIVEN, [given]));
}

function paired(rows: readonly TotalRow[]): UsageTotal[] {
  const key = (row: TotalRow) => JSON.stringify([row.contract_id, row.period_idx, row.feature_slug]);
  const untilNow = new Map(rows.filter((row) => row.until_now).map((row) => [key(row), row]));
  return rows
    .filter((row) => !row.until_now)
    .map((row) => ({
      contractId: row.contract_id,
      periodIdx: row.period_idx,
      slug: row.feature_slug,
      units: row.units,
      events: Number(row.events),
      unitsUntilNow: untilNow.get(key(row))?.units ?? '0',
      eventsUntilNow: Number(untilNow.get(key(row))?.events ?? 0),
    }));
}
