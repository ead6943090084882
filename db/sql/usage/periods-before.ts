import type { UsagePeriod } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { usagePeriodProjection } from '../projections.ts';
import type { PartKey } from './part.ts';

const BEFORE = `
  with recursive part as (
    select given.contract_id as of_contract, p.*, 1 as depth
    from jsonb_to_recordset($1::jsonb) as given(contract_id text, idx int)
    join usage_period own on own.contract_id = given.contract_id and own.idx = given.idx
    join usage_period p on p.contract_id = own.follows_contract_id and p.idx = own.follows_idx
    union all
    select part.of_contract, p.*, part.depth + 1
    from part join usage_period p on p.contract_id = part.follows_contract_id and p.idx = part.follows_idx
  )
  select of_contract as "ofContract", ${usagePeriodProjection.columns('part')} from part order by of_contract, depth desc`;

/**
 * The periods of predecessors in the same billing period, oldest first, by the contract whose period they lead to (at
 * most one of each contract). SQL, because it follows them from one to the next, for all contracts of a batch.
 */
export async function periodsBefore(tx: Queryable, keys: readonly PartKey[]): Promise<Map<string, UsagePeriod[]>> {
  if (keys.length === 0) return new Map();
  const given = JSON.stringify(keys.map(({ contractId, idx }) => ({ contract_id: contractId, idx })));
  const rows = await tx.query<{ ofContract: string }>(BEFORE, [given]);
  return new Map([...Map.groupBy(rows, (row) => row.ofContract)].map(([id, some]) => [id, some.map(usagePeriodProjection.read)]));
}
