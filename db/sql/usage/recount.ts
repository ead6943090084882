import type { Queryable } from '../../connect.ts';
import { type PartKey, sourceOf } from './part.ts';
import { usageSums } from './sum.ts';

export interface CounterKey extends PartKey {
  slug: string;
}

const OWN = usageSums('select $1::text as contract_id, $2::int as idx, null::timestamptz as cut_at', '$3');

const RECOUNT = `
  with recursive joined as (
    select p.follows_contract_id as contract_id, p.follows_idx as idx, false as is_one, 0 as depth
    from usage_period p where p.contract_id = $1 and p.idx = $2
    union all
    select p.follows_contract_id, p.follows_idx, true, joined.depth + 1
    from joined join usage_period p on p.contract_id = joined.contract_id and p.idx = joined.idx
    where p.goes_on @> ${sourceOf('$3::text')}
  ),
  before as (
    select u.units, u.events, exists (select from joined where is_one) as is_one
    from joined join usage_counter u on u.contract_id = joined.contract_id and u.period_idx = joined.idx and u.feature_slug = $3
    where joined.depth = 0
  ),
  base as (
    select u.units from (select * from joined order by depth desc limit 1) first
    join usage_counter u on u.contract_id = first.contract_id and u.period_idx = first.idx and u.feature_slug = $3
  )
  update usage_counter set
    units = case when own.marker is null then coalesce((select units from before), 0) + coalesce(own.units, 0)
      else greatest(coalesce((select units from base), 0), own.marker) + own.units - own.marker end,
    events = coalesce(own.events, 0) + case when own.marker is null then coalesce((select events from before where is_one), 0) else 0 end
  from (values (true)) one left join (${OWN}) own on true
  where usage_counter.contract_id = $1 and usage_counter.period_idx = $2 and usage_counter.feature_slug = $3`;

/**
 * Sets the counter of one feature of one period to the sum of its events. A counter has the units of the billing
 * period: in a period that goes on from a predecessor's it begins at that one's count; where both periods are one sum
 * (`goes_on`) the events of both are summed, and a marker sets the units of both; otherwise a marker never lowers what
 * was counted before. SQL, because it sums events without reading them into the process.
 */
export async function recountPart(tx: Queryable, { contractId, idx, slug }: CounterKey): Promise<void> {
  await tx.query(RECOUNT, [contractId, idx, slug]);
}
