import { lockPlan } from '../../db/plan/read.ts';
import { savePlan } from '../../services/plan/save.ts';
import { examplePlanRequest } from '../example/catalogue.ts';
import { ids } from '../example/ids.ts';
import { route, savedAs } from '../http/route.ts';
import { PlanId } from '../schema/common.ts';
import { PlanRequest } from '../schema/plan.ts';
import { requestedPlan } from './requested.ts';

export const savePlanRoute = route({
  method: 'post',
  path: '/v1/c/plan',
  operationId: 'save_plan',
  tag: 'Catalogue',
  summary: 'Create or update a plan',
  description: 'Without `id` a plan is created; with one it is changed, and absent fields stay. Running contracts keep their own copy.',
  scope: 'full',
  body: PlanRequest,
  response: { 201: PlanId, 200: PlanId },
  errors: ['plan_not_found', 'slug_taken'],
  example: { body: examplePlanRequest, response: ids.team },
  write: async ({ vendor, body, tx }) => {
    const existing = body.id ? await lockPlan(tx.em, vendor, body.id) : null;
    const now = Date.now();
    const plan = await requestedPlan(tx.em, body, existing, now);
    await savePlan(tx, vendor, plan, now);
    return savedAs(plan.id, existing === null);
  },
});
