import type { Queryable } from '../../connect.ts';
import { type CounterKey, type PartKey, sourceOf } from './part.ts';

const CHARGING = `
  with recursive part as (
    select k.n, k.slug, p.contract_id, p.idx, p.goes_on, 0 as depth
    from unnest($1::text[], $2::int[], $3::text[]) with ordinality as k(contract_id, idx, slug, n)
    join usage_period p on p.contract_id = k.contract_id and p.idx = k.idx
    union all
    select part.n, part.slug, f.contract_id, f.idx, f.goes_on, part.depth + 1
    from part join usage_period f on f.follows_contract_id = part.contract_id and f.follows_idx = part.idx
    where part.goes_on @> ${sourceOf('part.slug')}
  )
  select distinct on (n) n::int, contract_id as "contractId", idx from part order by n, depth desc`;

/**
 * The periods whose closings charge usage of features, in the order of the keys: a successor's, where it goes on there.
 * The caller has locked the chains against changes. SQL, because it follows the periods from one to the next, for every
 * event that is decided one by one.
 */
export async function chargingPeriods(tx: Queryable, keys: readonly CounterKey[]): Promise<PartKey[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<PartKey & { n: number }>(CHARGING, [
    keys.map(({ contractId }) => contractId),
    keys.map(({ idx }) => idx),
    keys.map(({ slug }) => slug),
  ]);
  const found = new Map(rows.map(({ n, contractId, idx }) => [n - 1, { contractId, idx }]));
  return keys.map(({ contractId, idx }, at) => found.get(at) ?? { contractId, idx });
}

/** The same for one of them. */
export async function chargingPeriod(tx: Queryable, key: PartKey, slug: string): Promise<PartKey> {
  const [found = key] = await chargingPeriods(tx, [{ ...key, slug }]);
  return found;
}
