import type { Queryable } from '../../connect.ts';
import { type PartKey, sourceOf } from './part.ts';

const CHARGING = `
  with recursive part as (
    select p.contract_id, p.idx, p.goes_on, 0 as depth from usage_period p where p.contract_id = $1 and p.idx = $2
    union all
    select n.contract_id, n.idx, n.goes_on, part.depth + 1
    from part join usage_period n on n.follows_contract_id = part.contract_id and n.follows_idx = part.idx
    where part.goes_on @> ${sourceOf('$3::text')}
  )
  select contract_id as "contractId", idx from part order by depth desc limit 1`;

/**
 * The period whose closing charges a feature's usage: a successor's, where it goes on there. The caller has locked the
 * chain against changes. SQL, because it follows the periods from one to the next, for every event that is decided one
 * by one.
 */
export async function chargingPeriod(tx: Queryable, key: PartKey, slug: string): Promise<PartKey> {
  const [found] = await tx.query<PartKey>(CHARGING, [key.contractId, key.idx, slug]);
  return found ?? key;
}
