import { type CancelRequest, planCancellation } from '../../billing/contract/change/cancel.ts';
import type { Outcome } from '../../billing/contract/types.ts';
import { newId } from '../../db/id.ts';
import type { Tx } from '../../db/transaction.ts';
import { type ContractCall, decideOnContract, type LockedContract } from './decide.ts';

/**
 * Cancels a contract now, at the end of its cycle or on a date; one that waits for its payment is dropped.
 *
 * @param require refuses, by throwing, what the rule has decided, before anything is written
 */
export async function cancelContract(
  tx: Tx,
  call: ContractCall,
  request: CancelRequest,
  require: (outcome: Outcome) => void = () => undefined,
): Promise<void> {
  const { when, credit, notes } = request;
  const decide = ({ snapshot, now }: LockedContract) => {
    const outcome = planCancellation(snapshot, request, now, newId);
    require(outcome);
    return { outcome, note: { kind: 'cancel' as const, detail: { when, credit, notes } }, act: 'contract_canceled' as const };
  };
  await decideOnContract(tx, call, decide, { endsGate: ({ id }, gate) => gate.contractId === id });
}
