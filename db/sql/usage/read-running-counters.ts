import type { Queryable } from '../../connect.ts';

interface RunningCounter {
  contractId: string;
  slug: string;
  units: string;
}

/**
 * What was counted in the running periods of contracts. SQL, because a counter is joined with the contract whose period
 * runs.
 */
export const readRunningCounters = (db: Queryable, contractIds: readonly string[]): Promise<RunningCounter[]> =>
  db.query<RunningCounter>(
    `select c.contract_id as "contractId", c.feature_slug as slug, c.units from usage_counter c
     join contract on contract.id = c.contract_id and coalesce(contract.current_idx, 0) = c.period_idx
     where c.contract_id = any($1::text[])`,
    [contractIds],
  );
