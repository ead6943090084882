import { CatchingUp } from '../../billing/contract/advance/catching-up.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Asker } from '../../db/audited-call.ts';
import type { Database } from '../../db/connect.ts';
import { PlanMove, PlanMoveContract, type PlanMoveRecord } from '../../db/entities/plan-move.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import type { Tx } from '../../db/transaction.ts';
import { catchUp } from '../contract/catch-up.ts';
import { changeContract } from '../contract/change.ts';
import { againAfterFreeze } from '../customer/after-freeze.ts';
import { changeTo, requireMovable } from './asked.ts';
import { refusalCodeOf } from './refusal-code.ts';

/** `left`: it can't be changed just now, or is late and has been advanced by some instants; it is tried again. */
export type Moved = { kind: 'settled' | 'left' | 'stopped' } | { kind: 'failed'; error: unknown };

/**
 * Moves one contract by an ordinary change, in one transaction with its outcome, so that it is changed once however
 * often this is called. A refusal is its outcome, too.
 *
 * @throws for causes that pass: nothing is written then
 */
export async function moveContract(db: Database, move: PlanMoveRecord, contractId: string): Promise<Moved> {
  const write = () => db.transaction((tx) => change(tx, move, contractId), { prepare: true, ...askerOf(move, contractId) });
  try {
    return await write().catch((error: unknown) => againAfterFreeze(db, error, write));
  } catch (error) {
    if (error instanceof CatchingUp) {
      await catchUp(db, contractId);
      return { kind: 'left' };
    }
    const code = refusalCodeOf(error);
    if (code === null && error instanceof Refusal) return { kind: 'left' };
    if (code === null) throw error;
    await db.transaction((tx) =>
      tx.em.nativeUpdate(PlanMoveContract, waiting(move, contractId), { outcome: 'refused', code, at: Date.now() }),
    );
    return code === 'internal_error' ? { kind: 'failed', error } : { kind: 'settled' };
  }
}

/** Who has started the move: histories and the audit log name it with each contract. */
function askerOf({ id, vendorId, callerType, keyId, personId }: PlanMoveRecord, object: string): Asker {
  const starter = keyId ?? personId;
  if (callerType === 'system' || starter === null) return { caller: { type: 'system', id: null } };
  const caller = { type: callerType, id: starter };
  return { caller, audit: { vendorId, caller, action: 'start_plan_move', object, asked: { move: id } } };
}

async function change(tx: Tx, move: PlanMoveRecord, contractId: string): Promise<Moved> {
  const { id, vendorId, toPlanId, time } = move;
  // a second run of the same step waits here, and then finds the outcome
  const own = await tx.em.findOne(PlanMoveContract, waiting(move, contractId), FOR_UPDATE);
  if (own === null) return { kind: 'settled' };
  const { status } = await tx.em.findOneOrFail(PlanMove, { id }, { fields: ['status'] });
  if (status !== 'running') return { kind: 'stopped' };
  const newContractId = await changeContract(tx, { vendorId, contractId }, changeTo(toPlanId, time), null, { require: requireMovable });
  tx.em.assign(own, { outcome: 'moved', newContractId, at: Date.now() });
  return { kind: 'settled' };
}

const waiting = (move: PlanMoveRecord, contractId: string) => ({ moveId: move.id, contractId, outcome: null });
