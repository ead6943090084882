import type { UsagePeriod } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import type { PartKey } from './part.ts';

export interface PeriodRow {
  idx: number;
  status: UsagePeriod['status'];
}

/** Locks a period against being closed. SQL, because it is part of every usage event that is decided one by one. */
export async function lockPeriod(tx: Queryable, { contractId, idx }: PartKey): Promise<PeriodRow | null> {
  const [row] = await tx.query<PeriodRow>('select idx, status from usage_period where contract_id = $1 and idx = $2 for update', [
    contractId,
    idx,
  ]);
  return row ?? null;
}
