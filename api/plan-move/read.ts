import { z } from 'zod';
import { readMove } from '../../services/plan-move/read.ts';
import { examplePlanMove } from '../example/plan-move.ts';
import { route } from '../http/route.ts';
import { PlanId } from '../schema/common.ts';
import { PlanMove, PlanMoveId } from '../schema/plan-move.ts';
import { moveToWire } from '../wire/plan-move.ts';

export const readPlanMoveRoute = route({
  method: 'get',
  path: '/v1/c/plan/{plan_id}/move/{move_id}',
  operationId: 'get_plan_move',
  tag: 'Catalogue',
  summary: 'Read a move of a plan’s contracts',
  description: 'How far it has come, and which contracts were refused.',
  scope: 'read',
  params: z.object({ plan_id: PlanId, move_id: PlanMoveId }),
  response: { 200: PlanMove },
  errors: ['plan_move_not_found'],
  example: { response: examplePlanMove },
  run: async ({ vendor, params }, { db }) =>
    moveToWire(await readMove(db.em(), { vendorId: vendor, planId: params.plan_id, moveId: params.move_id })),
});
