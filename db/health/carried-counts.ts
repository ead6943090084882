import type { Queryable } from '../connect.ts';
import { type CounterKey, sourceOf } from '../sql/usage/part.ts';
import { FINDINGS_READ } from './most-findings.ts';

/** A counter that does not continue the counts of the earlier parts of its billing period. */
export interface WrongCarriedCount extends CounterKey {
  kept: string;
  counted: string;
}

/**
 * The rule of `db/sql/usage/carry-counter.ts`, applied forwards from the first part of each billing period. A counter
 * begins at zero if the part before has none for the feature.
 */
const WRONG = `
  with recursive part as (
    select u.contract_id, u.period_idx as idx, u.feature_slug, p.goes_on, 0::numeric as base, u.own_units as units, u.own_events as events
    from usage_counter u join usage_period p on p.contract_id = u.contract_id and p.idx = u.period_idx
    where not exists (
      select from usage_counter b
      where b.contract_id = p.follows_contract_id and b.period_idx = p.follows_idx and b.feature_slug = u.feature_slug
    )
    union all
    select p.contract_id, p.idx, part.feature_slug, p.goes_on, before.base,
      case when u.marker is null then part.units + coalesce(u.own_units, 0) else greatest(before.base, u.marker) + u.own_units - u.marker end,
      coalesce(u.own_events, 0) + case when u.marker is null and before.is_one then part.events else 0 end
    from part join usage_period p on p.follows_contract_id = part.contract_id and p.follows_idx = part.idx
    left join usage_counter u on u.contract_id = p.contract_id and u.period_idx = p.idx and u.feature_slug = part.feature_slug
    cross join lateral (
      select g.is_one, case when g.is_one then part.base else part.units end as base
      from (select part.goes_on @> ${sourceOf('part.feature_slug')} as is_one) g
    ) before
  )
  select part.contract_id as "contractId", part.idx, part.feature_slug as slug,
    concat(coalesce(trim_scale(u.units), 0), ' in ', coalesce(u.events, 0), ' events') as kept,
    concat(trim_scale(part.units), ' in ', part.events, ' events') as counted
  from part
  left join usage_counter u on u.contract_id = part.contract_id and u.period_idx = part.idx and u.feature_slug = part.feature_slug
  where coalesce(u.units, 0) <> part.units or coalesce(u.events, 0) <> part.events
  order by 1, 2, 3 limit ${FINDINGS_READ}`;

/** Counts of billing periods that are not what their parts come to; entitlements and limits follow from them. */
export const wrongCarriedCounts = (db: Queryable): Promise<WrongCarriedCount[]> => db.query<WrongCarriedCount>(WRONG);
