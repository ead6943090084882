import { z } from 'zod';
import { dryRun } from '../../services/plan-move/dry-run.ts';
import { startMove } from '../../services/plan-move/start.ts';
import { ids } from '../example/ids.ts';
import { exampleDryRun } from '../example/plan-move.ts';
import { ApiResponse, route } from '../http/route.ts';
import { PlanId } from '../schema/common.ts';
import { PlanMoveQuery, PlanMoveRequest, PlanMoveStarted } from '../schema/plan-move.ts';
import { dryRunToWire, moveFromWire } from '../wire/plan-move.ts';

export const startPlanMoveRoute = route({
  method: 'post',
  path: '/v1/c/plan/{plan_id}/move',
  operationId: 'start_plan_move',
  tag: 'Catalogue',
  summary: 'Move the contracts of a plan',
  description:
    'To its newest version or to another plan, one contract after the other, each by an ordinary change with its rules and payment; those that cannot be changed are listed with the code of the refusal. With `dry_run=true` nothing is changed, and the response says what would be.',
  scope: 'full',
  params: z.object({ plan_id: PlanId }),
  query: PlanMoveQuery,
  body: PlanMoveRequest,
  response: { 201: PlanMoveStarted, 200: PlanMoveStarted },
  errors: ['plan_not_found', 'plan_archived', 'contract_not_found', 'clock_advancing'],
  example: { body: { when: 'now' }, response: ids.move, others: { 200: exampleDryRun } },
  queue: (params) => params.plan_id,
  write: async ({ vendor, params, query, body, tx }) => {
    const asked = moveFromWire(vendor, params.plan_id, body);
    if (query.dry_run !== 'true') return new ApiResponse(201, await startMove(tx, asked));
    // nothing is changed, so the audit log has no entry
    tx.audited.length = 0;
    return new ApiResponse(200, dryRunToWire(await dryRun(tx, asked, query.after ?? null)));
  },
});
