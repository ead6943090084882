import type { Queryable } from '../../connect.ts';
import type { CounterKey, PartKey } from './part.ts';

/** A feature's usage over a billing period, whichever part of it was asked for. */
export interface BillingPeriodUnits {
  /** of the whole billing period so far */
  units: string;
  /** the first part of the billing period: a change in it goes on counting, and doesn't rename it */
  first: PartKey;
  /** the last part: its contract has the prices that hold now */
  last: PartKey;
}

const SQL = `with recursive asked as (
    select * from unnest($1::text[], $2::int[], $3::text[]) with ordinality as k(contract_id, idx, slug, n)
  ),
  ahead as (
    select n, contract_id, idx, slug, 0 as depth from asked
    union all
    select a.n, p.contract_id, p.idx, a.slug, a.depth + 1 from ahead a
    join usage_period p on p.follows_contract_id = a.contract_id and p.follows_idx = a.idx
  ),
  back as (
    select n, contract_id, idx, 0 as depth from asked
    union all
    select b.n, p.follows_contract_id, p.follows_idx, b.depth + 1 from back b
    join usage_period p on p.contract_id = b.contract_id and p.idx = b.idx where p.follows_contract_id is not null
  )
  select k.n::int, coalesce(counted.units, 0) as units, first.contract_id as "firstContractId", first.idx as "firstIdx",
    last.contract_id as "lastContractId", last.idx as "lastIdx"
  from asked k
  left join lateral (
    select u.units from ahead a join usage_counter u on u.contract_id = a.contract_id and u.period_idx = a.idx and u.feature_slug = a.slug
    where a.n = k.n order by a.depth desc limit 1
  ) counted on true
  cross join lateral (select b.contract_id, b.idx from back b where b.n = k.n order by b.depth desc limit 1) first
  cross join lateral (select a.contract_id, a.idx from ahead a where a.n = k.n order by a.depth desc limit 1) last`;

interface UnitsRow {
  n: number;
  units: string;
  firstContractId: string;
  firstIdx: number;
  lastContractId: string;
  lastIdx: number;
}

/**
 * What is counted of features in their billing periods, in the order of the keys: the last part's counter goes on from
 * all before it, and a marker may have set it below theirs. SQL, because it follows the parts of each billing period in
 * both directions, for many at once.
 */
export async function billingPeriodUnits(tx: Queryable, keys: readonly CounterKey[]): Promise<BillingPeriodUnits[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<UnitsRow>(SQL, [
    keys.map(({ contractId }) => contractId),
    keys.map(({ idx }) => idx),
    keys.map(({ slug }) => slug),
  ]);
  return rows
    .sort((a, b) => a.n - b.n)
    .map(({ units, firstContractId, firstIdx, lastContractId, lastIdx }) => ({
      units,
      first: { contractId: firstContractId, idx: firstIdx },
      last: { contractId: lastContractId, idx: lastIdx },
    }));
}
