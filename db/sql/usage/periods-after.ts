import type { Queryable } from '../../connect.ts';
import type { PartKey } from './part.ts';

const AFTER = `
  with recursive part as (
    select n.contract_id, n.idx, n.goes_on, 1 as depth from usage_period n where n.follows_contract_id = $1 and n.follows_idx = $2
    union all
    select n.contract_id, n.idx, n.goes_on, part.depth + 1
    from part join usage_period n on n.follows_contract_id = part.contract_id and n.follows_idx = part.idx
  )
  select contract_id as "contractId", idx from part order by depth`;

/**
 * The periods of successors that go on from a period within its billing period, in their order. SQL, because it follows
 * them from one to the next.
 */
export const periodsAfter = (tx: Queryable, { contractId, idx }: PartKey): Promise<PartKey[]> =>
  tx.query<PartKey>(AFTER, [contractId, idx]);
