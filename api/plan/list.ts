import { type PlanRecordRow, toPlan } from '../../db/sql/plan/columns.ts';
import { planList } from '../../db/sql/plan/list.ts';
import { teamPlan } from '../example/catalogue.ts';
import { pageOf } from '../example/page.ts';
import { listPage } from '../http/list.ts';
import { route } from '../http/route.ts';
import { PlanPage, PlanSearch } from '../schema/plan.ts';
import { planToWire } from '../wire/plan.ts';

export const listPlansRoute = route({
  method: 'get',
  path: '/v1/c/plan',
  operationId: 'list_plans',
  tag: 'Catalogue',
  summary: 'List plans',
  description: 'Oldest first; archived plans are included unless `status` excludes them.',
  scope: 'read',
  query: PlanSearch,
  response: { 200: PlanPage },
  errors: ['invalid_cursor'],
  example: { response: pageOf([teamPlan]) },
  run: ({ vendor, query }, deps) =>
    listPage<PlanRecordRow, ReturnType<typeof planToWire>>(deps, 'plan', vendor, planList(vendor, query), query, (row) =>
      planToWire(toPlan(row)),
    ),
});
