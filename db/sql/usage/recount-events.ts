import type { Queryable } from '../../connect.ts';
import type { CounterKey } from './part.ts';

const RECOUNT = `
  with last as (
    select m.units, m.timestamp from usage_event m
    where m.contract_id = $1 and m.period_idx = $2 and m.feature_slug = $3 and m.is_absolute and m.discarded_at is null
    order by m.timestamp desc, m.seq desc limit 1
  ),
  since as (
    select coalesce(sum(e.units), 0) as units, count(*) as events, max(e.timestamp) as latest_at from usage_event e
    where e.contract_id = $1 and e.period_idx = $2 and e.feature_slug = $3 and not e.is_absolute and e.discarded_at is null
      and e.timestamp >= coalesce((select timestamp from last), '-infinity')
  )
  update usage_counter u set
    own_units = since.units + coalesce(last.units, 0), own_events = since.events + count_of.markers,
    marker = last.units, marker_at = last.timestamp, latest_at = greatest(since.latest_at, last.timestamp)
  from since left join last on true
  cross join lateral (select case when last.units is null then 0 else 1 end as markers) count_of
  where u.contract_id = $1 and u.period_idx = $2 and u.feature_slug = $3`;

/**
 * Sets a counter's own sum to that of its events: of those since the last marker, where there is one. SQL, because it
 * sums events without reading them into the process.
 */
export async function recountEvents(tx: Queryable, { contractId, idx, slug }: CounterKey): Promise<void> {
  await tx.query(RECOUNT, [contractId, idx, slug]);
}
