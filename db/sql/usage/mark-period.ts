import type { Queryable } from '../../connect.ts';
import type { PartKey } from './part.ts';

/** Notes that a period has a marker. SQL, because the period is known by its key alone and was locked by SQL. */
export async function markPeriod(tx: Queryable, { contractId, idx }: PartKey): Promise<void> {
  await tx.query('update usage_period set marked = true where contract_id = $1 and idx = $2', [contractId, idx]);
}
