import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { PlanMove, type PlanMoveRecord } from '../../db/entities/plan-move.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import { enqueue } from '../../temporal/message-kinds.ts';

/** A move of a plan, as callers name it. */
export interface MoveCall {
  vendorId: string;
  planId: string;
  moveId: string;
}

/**
 * Stops a move after the contract that is being changed. One that doesn't run stays as it is.
 *
 * @throws Refusal `plan_move_not_found`
 */
export async function stopMove(tx: Tx, call: MoveCall): Promise<void> {
  const move = await lockMove(tx, call);
  if (move.status === 'running') move.status = 'stopped';
  await tx.em.flush();
}

/**
 * Lets a stopped move go on with the contracts that have no outcome yet. One that isn't stopped stays as it is.
 *
 * @throws Refusal `plan_move_not_found`
 */
export async function resumeMove(tx: Tx, call: MoveCall): Promise<void> {
  const move = await lockMove(tx, call);
  if (move.status !== 'stopped') return;
  move.status = 'running';
  await tx.em.flush();
  enqueue(tx, 'plan_move', call.moveId);
}

async function lockMove({ em }: Tx, { vendorId, planId, moveId }: MoveCall): Promise<PlanMoveRecord> {
  const move = await em.findOne(PlanMove, { id: moveId, vendorId, planId }, FOR_UPDATE);
  return move ?? moveNotFound(moveId);
}

export function moveNotFound(moveId: string): never {
  throw new Refusal('plan_move_not_found', `There is no move ${moveId} of this plan.`);
}
