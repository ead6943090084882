import type { EntityManager } from '@mikro-orm/postgresql';
import type { MoveRefusalCode } from '../../db/entities/plan-move.ts';
import { PlanMove, PlanMoveContract, type PlanMoveRecord } from '../../db/entities/plan-move.ts';
import { type MoveProgress, progressOf } from './progress.ts';
import { type MoveCall, moveNotFound } from './stop.ts';

/** A move as callers see it, with the first contracts that were refused. */
export type MoveState = MoveProgress &
  Pick<PlanMoveRecord, 'id' | 'time' | 'created' | 'ended'> & { firstRefused: { contractId: string; code: MoveRefusalCode }[] };

/** Refused contracts that a read of the move itself shows; a list of its own has all of them. */
const SHOWN = 1_000;

/** @throws Refusal `plan_move_not_found` */
export async function readMove(em: EntityManager, { vendorId, planId, moveId }: MoveCall): Promise<MoveState> {
  const move = (await em.findOne(PlanMove, { id: moveId, vendorId, planId })) ?? moveNotFound(moveId);
  const first = { orderBy: { at: 'asc', contractId: 'asc' }, limit: SHOWN } as const;
  const refused = await em.find(PlanMoveContract, { moveId, outcome: 'refused' }, first);
  const { id, time, created, ended } = move;
  const firstRefused = refused.map(({ contractId, code }) => ({ contractId, code: code ?? 'internal_error' }) as const);
  return { id, time, created, ended, ...(await progressOf(em, moveId)), firstRefused };
}
