import { z } from 'zod';
import { readMove } from '../../services/plan-move/read.ts';
import { stopMove } from '../../services/plan-move/stop.ts';
import { examplePlanMove } from '../example/plan-move.ts';
import { route } from '../http/route.ts';
import { Nothing, PlanId } from '../schema/common.ts';
import { PlanMove, PlanMoveId } from '../schema/plan-move.ts';
import { moveToWire } from '../wire/plan-move.ts';

export const stopPlanMoveRoute = route({
  method: 'post',
  path: '/v1/c/plan/{plan_id}/move/{move_id}/stop',
  operationId: 'stop_plan_move',
  tag: 'Catalogue',
  summary: 'Stop a move of a plan’s contracts',
  description:
    'It ends after the contract that is being changed; those that are moved stay so. Stopping a move that does not run changes nothing.',
  scope: 'full',
  params: z.object({ plan_id: PlanId, move_id: PlanMoveId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: PlanMove },
  errors: ['plan_move_not_found'],
  example: { body: {}, response: examplePlanMove },
  write: async ({ vendor, params, tx }) => {
    const call = { vendorId: vendor, planId: params.plan_id, moveId: params.move_id };
    await stopMove(tx, call);
    return moveToWire(await readMove(tx.em, call));
  },
});
