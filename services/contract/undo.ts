import { planCancelUndo, planChangeUndo } from '../../billing/contract/change/cancel.ts';
import { newId } from '../../db/id.ts';
import type { Tx } from '../../db/transaction.ts';
import { type ContractCall, decideOnContract, type LockedContract } from './decide.ts';

/**
 * What can be taken back while it waits: a dropped change leaves its scheduled contract canceled. The keys name the
 * timeline's entries.
 */
const UNDO = {
  cancel_undo: { plan: planCancelUndo, act: 'cancellation_undone' },
  change_undo: { plan: planChangeUndo, act: 'change_undone' },
} as const;

/** Takes back a cancellation or a change that waits for its time, or first a change that waits for its payment. */
export async function undo(tx: Tx, call: ContractCall, kind: keyof typeof UNDO): Promise<void> {
  const decide = ({ snapshot, now }: LockedContract) => ({
    outcome: UNDO[kind].plan(snapshot, now, newId),
    note: { kind, detail: {} },
    act: UNDO[kind].act,
  });
  await decideOnContract(tx, call, decide, { endsGate: ({ id }, gate) => kind === 'change_undo' && gate.contractId !== id });
}
