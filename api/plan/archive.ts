import { z } from 'zod';
import { archivePlan } from '../../services/plan/save.ts';
import { ids } from '../example/ids.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { Nothing, PlanId } from '../schema/common.ts';

export const archivePlanRoute = route({
  method: 'post',
  path: '/v1/c/plan/{plan_id}/archive',
  operationId: 'archive_plan',
  tag: 'Catalogue',
  summary: 'Archive a plan',
  description: 'It is no longer sold: running contracts go on, new ones are refused. Archiving twice changes nothing.',
  scope: 'full',
  params: z.object({ plan_id: PlanId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: PlanId },
  errors: ['plan_not_found'],
  example: { body: {}, response: ids.team },
  write: async ({ vendor, params, tx }) => {
    if (!(await archivePlan(tx, vendor, params.plan_id))) throw new Problem('plan_not_found');
    return params.plan_id;
  },
});
