import type { EntityManager } from '@mikro-orm/postgresql';
import { PlanMove, PlanMoveContract, type PlanMoveRecord } from '../../db/entities/plan-move.ts';

/** What has become of a move's contracts so far. */
export interface MoveProgress extends Pick<PlanMoveRecord, 'planId' | 'toPlanId' | 'status' | 'total'> {
  moved: number;
  refused: number;
}

export async function progressOf(em: EntityManager, moveId: string): Promise<MoveProgress> {
  const { planId, toPlanId, status, total } = await em.findOneOrFail(PlanMove, { id: moveId });
  const moved = await em.count(PlanMoveContract, { moveId, outcome: 'moved' });
  const refused = await em.count(PlanMoveContract, { moveId, outcome: 'refused' });
  return { planId, toPlanId, status, total, moved, refused };
}
