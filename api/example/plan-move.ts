import type { z } from 'zod';
import type { PlanMove, PlanMoveDryRun } from '../schema/plan-move.ts';
import { ids } from './ids.ts';

/** Nobody has the plan yet. */
export const exampleDryRun = { contracts: 0, totals: [], refused: [], after: null } satisfies z.input<typeof PlanMoveDryRun>;

/** A move that had nothing to do. */
export const examplePlanMove = {
  id: ids.move,
  plan: ids.team,
  to: ids.team,
  when: 'now',
  status: 'done',
  total: 0,
  done: 0,
  refused_total: 0,
  refused: [],
  created: '2026-05-04T09:30:00.000Z',
  ended: '2026-05-04T09:30:00.000Z',
} satisfies z.input<typeof PlanMove>;
