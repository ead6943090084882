import { type CancelRequest, planCancellation } from '../../billing/contract/change/cancel.ts';
import { newId } from '../../db/id.ts';
import type { Tx } from '../../db/transaction.ts';
import { type ContractCall, decideOnContract } from './decide.ts';

/** Cancels a contract now, at the end of its cycle or on a date. */
export async function cancelContract(tx: Tx, call: ContractCall, request: CancelRequest): Promise<void> {
  const { when, credit, notes } = request;
  await decideOnContract(tx, call, ({ snapshot, now }) => ({
    outcome: planCancellation(snapshot, request, now, newId),
    note: { kind: 'cancel', detail: { when, credit, notes } },
    act: 'contract_canceled',
  }));
}
