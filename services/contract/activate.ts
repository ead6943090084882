import type { Instant } from '../../billing/calendar/instant.ts';
import { planActivation } from '../../billing/contract/advance/activate.ts';
import { newId } from '../../db/id.ts';
import type { Tx } from '../../db/transaction.ts';
import { type ContractCall, decideOnContract } from './decide.ts';

/** Activates a pending contract, now or at an instant ahead. @param activation null: now */
export async function activateContract(tx: Tx, call: ContractCall, activation: Instant | null): Promise<void> {
  await decideOnContract(tx, call, ({ snapshot, now }) => ({ outcome: planActivation(snapshot, activation, now, newId) }));
}
