import { planCancelUndo } from '../../billing/contract/change/cancel.ts';
import { newId } from '../../db/id.ts';
import type { Tx } from '../../db/transaction.ts';
import { type ContractCall, decideOnContract } from './decide.ts';

/** Takes back a cancellation that waits. */
export async function undoCancellation(tx: Tx, call: ContractCall): Promise<void> {
  await decideOnContract(tx, call, ({ snapshot, now }) => ({
    outcome: planCancelUndo(snapshot, now, newId),
    note: { kind: 'cancel_undo', detail: {} },
  }));
}
