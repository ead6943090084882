import { z } from 'zod';
import { type PlanVersionRow, planVersionList } from '../../db/sql/plan/list-versions.ts';
import { readPlan } from '../../db/sql/plan/read.ts';
import { teamVersion } from '../example/catalogue.ts';
import { pageOf } from '../example/page.ts';
import { listPage } from '../http/list.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { PlanId } from '../schema/common.ts';
import { PageQuery } from '../schema/paging.ts';
import { PlanVersionPage } from '../schema/plan.ts';
import { planVersionToWire } from '../wire/plan.ts';

export const listPlanVersionsRoute = route({
  method: 'get',
  path: '/v1/c/plan/{plan_id}/version',
  operationId: 'list_plan_versions',
  tag: 'Catalogue',
  summary: 'List the versions of a plan',
  description: 'Newest first: what the plan held, and from when to when. Each update that changes something makes a version.',
  scope: 'read',
  params: z.object({ plan_id: PlanId }),
  query: PageQuery,
  response: { 200: PlanVersionPage },
  errors: ['plan_not_found', 'invalid_cursor'],
  example: { response: pageOf([teamVersion]) },
  run: async ({ vendor, params, query }, deps) => {
    if ((await readPlan(deps.db, vendor, params.plan_id)) === null) throw new Problem('plan_not_found');
    const list = planVersionList(vendor, params.plan_id);
    return listPage<PlanVersionRow, ReturnType<typeof planVersionToWire>>(
      deps,
      `plan version:${params.plan_id}`,
      vendor,
      list,
      query,
      planVersionToWire,
    );
  },
});
