import type { Asker } from '../../db/audited-call.ts';
import type { Database } from '../../db/connect.ts';
import { PlanMove, PlanMoveContract, type PlanMoveRecord } from '../../db/entities/plan-move.ts';
import type { CataloguePlan } from '../../db/plan/plan.ts';
import { readPlan } from '../../db/sql/plan/read.ts';
import type { AskedMove } from '../plan-move/asked.ts';
import { type DryRun, dryRun } from '../plan-move/dry-run.ts';
import { type MoveProgress, progressOf } from '../plan-move/progress.ts';
import { startMove } from '../plan-move/start.ts';
import { newestPlans, newestVersion, requireNewest } from './plan.ts';

/** What the page that asks for a move shows before anything is computed. */
export interface MoveChoices {
  plan: CataloguePlan;
  /** plans on sale, newest first */
  others: CataloguePlan[];
}

const MOST_PLANS = 100;

/** The plans that the contracts of a plan can be moved to; null when the vendor has no such plan. */
export async function moveChoices(db: Database, vendorId: string, planId: string): Promise<MoveChoices | null> {
  const plan = await readPlan(db, vendorId, planId);
  if (plan === null) return null;
  const { rows } = await newestPlans(db, vendorId, { status: 'active' }, { rows: MOST_PLANS });
  return { plan, others: rows.filter(({ id }) => id !== planId) };
}

/** What a move would do, and the version of the plan that it is computed from. */
export async function moveAhead(db: Database, asked: AskedMove, after: string | null): Promise<{ run: DryRun; version: number }> {
  return db.transaction(async (tx) => {
    // read first: a version that is saved while this computes is not what was computed from
    const version = await newestVersion(tx.em, asked.toPlanId ?? asked.planId);
    return { version, run: await dryRun(tx, asked, after) };
  });
}

/**
 * Starts a move as its page has shown it.
 *
 * @param version of the plan that the contracts go to
 * @returns the move's id
 * @throws Refusal `estimate_outdated` where the plan has changed since, and those of `startMove`
 */
export const startAsShown = (db: Database, asker: Asker, asked: AskedMove, version: number): Promise<string> =>
  db.transaction(async (tx) => {
    await requireNewest(tx, asked.vendorId, asked.toPlanId ?? asked.planId, version);
    return startMove(tx, asked);
  }, asker);

/** What the page of a move shows. */
export interface MoveView {
  move: PlanMoveRecord;
  plan: CataloguePlan;
  to: CataloguePlan;
  progress: MoveProgress;
  /** the first that were refused */
  refused: { contractId: string; code: string | null }[];
}

/** Refused contracts that a page shows. */
export const REFUSED_ROWS = 50;

/** A move of a vendor's plan and how far it has come; null when there is none. */
export async function moveView(db: Database, vendorId: string, planId: string, moveId: string): Promise<MoveView | null> {
  const em = db.em();
  const move = await em.findOne(PlanMove, { id: moveId, vendorId, planId });
  if (move === null) return null;
  const [plan, to] = [await readPlan(db, vendorId, planId), await readPlan(db, vendorId, move.toPlanId)];
  if (plan === null || to === null) return null;
  const first = { orderBy: { at: 'asc', contractId: 'asc' }, limit: REFUSED_ROWS } as const;
  const refused = await em.find(PlanMoveContract, { moveId, outcome: 'refused' }, first);
  return { move, plan, to, progress: await progressOf(em, moveId), refused };
}
