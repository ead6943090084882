import type { Queryable } from '../../connect.ts';
import { type CounterKey, sourceOf } from './part.ts';

/** The parts whose usage is one sum with a period's, back to the first; what it follows is where the sum began. */
const BASE = `
  back as (
    select p.follows_contract_id, p.follows_idx, 0 as depth from usage_period p where p.contract_id = $1 and p.idx = $2
    union all
    select b.follows_contract_id, b.follows_idx, back.depth + 1
    from back join usage_period b on b.contract_id = back.follows_contract_id and b.idx = back.follows_idx
    where b.goes_on @> ${sourceOf('$3::text')}
  ),
  base as (
    select u.units from (select * from back order by depth desc limit 1) first
    join usage_counter u on u.contract_id = first.follows_contract_id and u.period_idx = first.follows_idx and u.feature_slug = $3
  )`;

/** Only a marker asks where the sum began: Postgres follows the parts back for nothing else. */
const CARRY = `
  with recursive ${BASE},
  before as (
    select u.units, u.events, b.goes_on @> ${sourceOf('$3::text')} as is_one
    from usage_period p
    join usage_period b on b.contract_id = p.follows_contract_id and b.idx = p.follows_idx
    join usage_counter u on u.contract_id = b.contract_id and u.period_idx = b.idx and u.feature_slug = $3
    where p.contract_id = $1 and p.idx = $2
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

const LOCK_LATER = `
  with recursive part as (
    select n.contract_id, n.idx, 1 as depth from usage_period n where n.follows_contract_id = $1 and n.follows_idx = $2
    union all
    select n.contract_id, n.idx, part.depth + 1
    from part join usage_period n on n.follows_contract_id = part.contract_id and n.follows_idx = part.idx
  )
  insert into usage_counter (contract_id, period_idx, feature_slug, units, events)
  select contract_id, idx, $3, 0, 0 from part order by depth
  on conflict (contract_id, period_idx, feature_slug) do update set listed = usage_counter.listed
  returning 1`;

const CARRY_LATER = `
  with recursive ${BASE},
  part as (
    select u.contract_id, u.period_idx as idx, p.goes_on, coalesce((select units from base), 0) as base, u.units, u.events, 0 as depth
    from usage_counter u join usage_period p on p.contract_id = u.contract_id and p.idx = u.period_idx
    where u.contract_id = $1 and u.period_idx = $2 and u.feature_slug = $3
    union all
    select n.contract_id, n.idx, n.goes_on, before.base,
      case when u.marker is null then part.units + u.own_units else greatest(before.base, u.marker) + u.own_units - u.marker end,
      u.own_events + case when u.marker is null and before.is_one then part.events else 0 end, part.depth + 1
    from part
    join usage_period n on n.follows_contract_id = part.contract_id and n.follows_idx = part.idx
    join usage_counter u on u.contract_id = n.contract_id and u.period_idx = n.idx and u.feature_slug = $3
    cross join lateral (
      select g.is_one, case when g.is_one then part.base else part.units end as base
      from (select part.goes_on @> ${sourceOf('$3::text')} as is_one) g
    ) before
  )
  update usage_counter c set units = part.units, events = part.events
  from part where part.depth > 0 and c.contract_id = part.contract_id and c.period_idx = part.idx and c.feature_slug = $3`;

/**
 * Sets the counters of all later parts of the billing period by the same rule, from a counter that is set already; they
 * are locked before they are read, in the order of the parts, and those that are missing are made. SQL, because it
 * follows the parts once, in one statement: each of two thousand changes leaves one.
 */
export async function carryLater(tx: Queryable, { contractId, idx, slug }: CounterKey): Promise<void> {
  const later = await tx.query(LOCK_LATER, [contractId, idx, slug]);
  if (later.length > 0) await tx.query(CARRY_LATER, [contractId, idx, slug]);
}
