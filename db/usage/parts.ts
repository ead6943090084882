import type { UsagePeriod } from '../../billing/contract/types.ts';
import type { Queryable } from '../connect.ts';
import { toUsagePeriod, type UsagePeriodRecordRow } from '../mapping/usage-period.ts';

/** A period of usage, by its contract and number. */
export interface PartKey {
  contractId: string;
  idx: number;
}

/** SQL: the entry of a period's `goes_on` that stands for a feature. */
export const sourceOf = (slug: string): string => `to_jsonb('feature:' || ${slug})`;

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
  select * from part order by of_contract, depth desc`;

/** The periods of predecessors in the same billing period, oldest first, by the contract whose period they lead to (at most one of each contract). */
export async function periodsBefore(tx: Queryable, keys: readonly PartKey[]): Promise<Map<string, UsagePeriod[]>> {
  if (keys.length === 0) return new Map();
  const given = JSON.stringify(keys.map(({ contractId, idx }) => ({ contract_id: contractId, idx })));
  const rows = await tx.query<UsagePeriodRecordRow & { of_contract: string }>(BEFORE, [given]);
  return new Map([...Map.groupBy(rows, (row) => row.of_contract)].map(([id, some]) => [id, some.map(toUsagePeriod)]));
}

const AFTER = `
  with recursive part as (
    select n.contract_id, n.idx, n.goes_on, 1 as depth from usage_period n where n.follows_contract_id = $1 and n.follows_idx = $2
    union all
    select n.contract_id, n.idx, n.goes_on, part.depth + 1
    from part join usage_period n on n.follows_contract_id = part.contract_id and n.follows_idx = part.idx
  )
  select contract_id as "contractId", idx from part order by depth`;

/** The periods of successors that go on from a period within its billing period, in their order. */
export const periodsAfter = (tx: Queryable, { contractId, idx }: PartKey): Promise<PartKey[]> =>
  tx.query<PartKey>(AFTER, [contractId, idx]);

const CHARGING = `
  with recursive part as (
    select p.contract_id, p.idx, p.goes_on, 0 as depth from usage_period p where p.contract_id = $1 and p.idx = $2
    union all
    select n.contract_id, n.idx, n.goes_on, part.depth + 1
    from part join usage_period n on n.follows_contract_id = part.contract_id and n.follows_idx = part.idx
    where part.goes_on @> ${sourceOf('$3::text')}
  )
  select contract_id as "contractId", idx from part order by depth desc limit 1`;

/** The period whose closing charges a feature's usage: a successor's, where it goes on there. Changes of the chain are held off by the caller. */
export async function chargingPeriod(tx: Queryable, key: PartKey, slug: string): Promise<PartKey> {
  const [found] = await tx.query<PartKey>(CHARGING, [key.contractId, key.idx, slug]);
  return found ?? key;
}
