import { z } from 'zod';
import { readMove } from '../../services/plan-move/read.ts';
import { resumeMove } from '../../services/plan-move/stop.ts';
import { examplePlanMove } from '../example/plan-move.ts';
import { route } from '../http/route.ts';
import { Nothing, PlanId } from '../schema/common.ts';
import { PlanMove, PlanMoveId } from '../schema/plan-move.ts';
import { moveToWire } from '../wire/plan-move.ts';

export const resumePlanMoveRoute = route({
  method: 'post',
  path: '/v1/c/plan/{plan_id}/move/{move_id}/resume',
  operationId: 'resume_plan_move',
  tag: 'Catalogue',
  summary: 'Let a stopped move go on',
  description:
    'A stopped move goes on with the contracts that are neither moved nor refused. Resuming a move that is not stopped changes nothing.',
  scope: 'full',
  params: z.object({ plan_id: PlanId, move_id: PlanMoveId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: PlanMove },
  errors: ['plan_move_not_found'],
  example: { body: {}, response: examplePlanMove },
  write: async ({ vendor, params, tx }) => {
    const call = { vendorId: vendor, planId: params.plan_id, moveId: params.move_id };
    await resumeMove(tx, call);
    return moveToWire(await readMove(tx.em, call));
  },
});
