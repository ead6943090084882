import { type CancelRequest, planCancellation } from '../../billing/contract/change/cancel.ts';
import { newId } from '../../db/id.ts';
import type { Tx } from '../../db/transaction.ts';
import { type ContractCall, decideOnContract, type LockedContract } from './decide.ts';

/** Cancels a contract now, at the end of its cycle or on a date; one that waits for its payment is dropped. */
export async function cancelContract(tx: Tx, call: ContractCall, request: CancelRequest): Promise<void> {
  const { when, credit, notes } = request;
  const decide = ({ snapshot, now }: LockedContract) => ({
    outcome: planCancellation(snapshot, request, now, newId),
    note: { kind: 'cancel', detail: { when, credit, notes } },
    act: 'contract_canceled',
  });
  await decideOnContract(tx, call, decide, { endsGate: ({ id }, gate) => gate.contractId === id });
}
