import type { UsagePeriod } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { usagePeriodProjection } from '../projections.ts';
import { keyOf, type PartKey } from './part.ts';

const BEFORE = `
  with recursive part as (
    select given.contract_id as of_contract, given.idx as of_idx, p.*, 1 as depth
    from jsonb_to_recordset($1::jsonb) as given(contract_id text, idx int)
    join usage_period own on own.contract_id = given.contract_id and own.idx = given.idx
    join usage_period p on p.contract_id = own.follows_contract_id and p.idx = own.follows_idx
    union all
    select part.of_contract, part.of_idx, p.*, part.depth + 1
    from part join usage_period p on p.contract_id = part.follows_contract_id and p.idx = part.follows_idx
  )
  select of_contract as "ofContract", of_idx as "ofIdx", ${usagePeriodProjection.columns('part')} from part order by of_contract, of_idx, depth desc`;

/**
 * The periods of predecessors in the same billing periods, oldest first, by the name of the period that they lead to.
 * SQL, because it follows them from one to the next, for all contracts of a batch.
 */
export async function partsBefore(tx: Queryable, keys: readonly PartKey[]): Promise<Map<string, UsagePeriod[]>> {
  if (keys.length === 0) return new Map();
  const given = JSON.stringify(keys.map(({ contractId, idx }) => ({ contract_id: contractId, idx })));
  const rows = await tx.query<{ ofContract: string; ofIdx: number }>(BEFORE, [given]);
  const found = Map.groupBy(rows, ({ ofContract, ofIdx }) => keyOf({ contractId: ofContract, idx: ofIdx }));
  return new Map([...found].map(([name, some]) => [name, some.map(usagePeriodProjection.read)]));
}

/** The same by the contract whose period they lead to, of which only one is given. */
export async function periodsBefore(tx: Queryable, keys: readonly PartKey[]): Promise<Map<string, UsagePeriod[]>> {
  const found = await partsBefore(tx, keys);
  return new Map(
    keys.flatMap((key) => {
      const some = found.get(keyOf(key));
      return some === undefined ? [] : [[key.contractId, some] as const];
    }),
  );
}
