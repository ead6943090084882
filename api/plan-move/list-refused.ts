import { z } from 'zod';
import { PlanMove } from '../../db/entities/plan-move.ts';
import { refusedList } from '../../db/sql/plan-move/list-refused.ts';
import { pageOf } from '../example/page.ts';
import { listPage } from '../http/list.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { PlanId } from '../schema/common.ts';
import { PageQuery } from '../schema/paging.ts';
import { PlanMoveId, RefusedPage } from '../schema/plan-move.ts';
import { type RefusedRow, refusedToWire } from '../wire/plan-move.ts';

export const listRefusedRoute = route({
  method: 'get',
  path: '/v1/c/plan/{plan_id}/move/{move_id}/refused',
  operationId: 'list_refused_of_plan_move',
  tag: 'Catalogue',
  summary: 'List the contracts that a move has refused',
  description: 'In the order in which they were, each with its code.',
  scope: 'read',
  params: z.object({ plan_id: PlanId, move_id: PlanMoveId }),
  query: PageQuery,
  response: { 200: RefusedPage },
  errors: ['plan_move_not_found', 'invalid_cursor'],
  example: { response: pageOf([]) },
  run: async ({ vendor, params: { plan_id, move_id }, query }, deps) => {
    const move = await deps.db.em().findOne(PlanMove, { id: move_id, vendorId: vendor, planId: plan_id }, { fields: ['id'] });
    if (move === null) throw new Problem('plan_move_not_found');
    const list = refusedList(vendor, plan_id, move_id);
    return listPage<RefusedRow, ReturnType<typeof refusedToWire>>(deps, `refused:${move_id}`, vendor, list, query, refusedToWire);
  },
});
