import type { Queryable } from '../../connect.ts';
import { type CounterKey, sourceOf } from './part.ts';

const CARRY = `
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
    units = case when marker is null then coalesce((select units from before), 0) + own_units
      else greatest(coalesce((select units from base), 0), marker) + own_units - marker end,
    events = own_events + case when marker is null then coalesce((select events from before where is_one), 0) else 0 end
  where contract_id = $1 and period_idx = $2 and feature_slug = $3`;

/**
 * Sets a counter's count of the billing period from its own sum. In a period that goes on from a predecessor's the
 * count begins at the predecessor's count. If both periods are one sum (`goes_on`), the events of both are counted and
 * a marker sets the units of both; otherwise a marker never lowers what was counted before. SQL, because it follows the
 * periods back to where the sum began.
 */
export async function carryCounter(tx: Queryable, { contractId, idx, slug }: CounterKey): Promise<void> {
  await tx.query(CARRY, [contractId, idx, slug]);
}
