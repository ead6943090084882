import { planChangeUndo } from '../../billing/contract/change/cancel.ts';
import { newId } from '../../db/id.ts';
import type { Tx } from '../../db/transaction.ts';
import { type ContractCall, decideOnContract } from './decide.ts';

/** Drops a change that waits; its scheduled contract is canceled. */
export async function undoChange(tx: Tx, call: ContractCall): Promise<void> {
  await decideOnContract(tx, call, ({ snapshot, now }) => ({
    outcome: planChangeUndo(snapshot, now, newId),
    note: { kind: 'change_undo', detail: {} },
  }));
}
