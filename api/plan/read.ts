import { z } from 'zod';
import { readPlan } from '../../db/sql/plan/read.ts';
import { teamPlan } from '../example/catalogue.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { PlanId } from '../schema/common.ts';
import { Plan } from '../schema/plan.ts';
import { planToWire } from '../wire/plan.ts';

export const readPlanRoute = route({
  method: 'get',
  path: '/v1/c/plan/{plan_id}',
  operationId: 'get_plan',
  tag: 'Catalogue',
  summary: 'Read a plan',
  description: 'Its current state in the catalogue, with the ids of features and pricings; contracts keep their own copy.',
  scope: 'read',
  params: z.object({ plan_id: PlanId }),
  response: { 200: Plan },
  errors: ['plan_not_found'],
  example: { response: teamPlan },
  run: async ({ vendor, params }, { db }) => {
    const plan = await readPlan(db, vendor, params.plan_id);
    if (plan === null) throw new Problem('plan_not_found');
    return planToWire(plan);
  },
});
