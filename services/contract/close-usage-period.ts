import { planUsageClosing } from '../../billing/contract/charge/close-usage.ts';
import { newId } from '../../db/id.ts';
import type { Tx } from '../../db/transaction.ts';
import { type ContractCall, decideOnContract, type LockedContract } from './decide.ts';

/** Closes a usage period by hand, also of a contract that has ended. */
export async function closeUsagePeriod(tx: Tx, call: ContractCall, idx: number): Promise<void> {
  const decide = ({ snapshot, now }: LockedContract) => ({ outcome: planUsageClosing(snapshot, idx, now, newId) });
  await decideOnContract(tx, call, decide, { ended: true, reads: 'ending', closes: idx });
}
