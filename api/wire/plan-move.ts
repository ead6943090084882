import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { MoveRefusalCode } from '../../db/entities/plan-move.ts';
import type { AskedMove } from '../../services/plan-move/asked.ts';
import type { DryRun } from '../../services/plan-move/dry-run.ts';
import type { MoveState } from '../../services/plan-move/read.ts';
import { errorCodeOf } from '../http/refusal-codes.ts';
import type { PlanMove, PlanMoveDryRun, PlanMoveRequest } from '../schema/plan-move.ts';

export function moveFromWire(vendorId: string, planId: string, body: z.output<typeof PlanMoveRequest>): AskedMove {
  return {
    vendorId,
    planId,
    toPlanId: body.to === planId ? null : (body.to ?? null),
    time: body.when === 'now' ? 'immediate' : 'next_cycle',
    contractIds: body.contracts == null ? null : [...new Set(body.contracts)],
  };
}

/** A refused contract as a row has it. */
export interface RefusedRow {
  contractId: string;
  code: MoveRefusalCode | 'catching_up';
}

export const refusedToWire = ({ contractId, code }: RefusedRow) => ({
  contract: contractId,
  code: code === 'internal_error' || code === 'catching_up' ? code : errorCodeOf(code),
});

export function moveToWire(move: MoveState): z.input<typeof PlanMove> {
  return {
    id: move.id,
    plan: move.planId,
    to: move.toPlanId,
    when: move.time === 'immediate' ? 'now' : 'next_cycle',
    status: move.status,
    total: move.total,
    done: move.moved,
    refused_total: move.refused,
    refused: move.firstRefused.map(refusedToWire),
    created: iso(move.created),
    ended: move.ended === null ? null : iso(move.ended),
  };
}

export const dryRunToWire = (run: DryRun): z.input<typeof PlanMoveDryRun> => ({
  contracts: run.contracts,
  totals: run.totals,
  refused: run.refused.map(refusedToWire),
  after: run.after,
});
