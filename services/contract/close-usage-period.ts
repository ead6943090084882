import { planUsageClosing } from '../../billing/contract/charge/close-usage.ts';
import { newId } from '../../db/id.ts';
import type { Tx } from '../../db/transaction.ts';
import { type ContractCall, decideOnContract } from './decide.ts';

/** Closes a usage period by hand, also of a contract that has ended. */
export async function closeUsagePeriod(tx: Tx, call: ContractCall, idx: number): Promise<void> {
  await decideOnContract(tx, call, ({ snapshot, now }) => ({ outcome: planUsageClosing(snapshot, idx, now, newId) }), { ended: true });
}
