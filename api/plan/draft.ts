import { checkPlan } from '../../billing/contract/terms/check-terms.ts';
import { BillingError } from '../../billing/problem.ts';
import type { DraftPlan } from '../../console/http/parts.ts';
import type { Database } from '../../db/connect.ts';
import type { CataloguePlan } from '../../db/plan/plan.ts';
import { retiredFeatures } from '../../db/plan/read.ts';
import { readPlan } from '../../db/sql/plan/read.ts';
import { wrongFields } from '../http/failure.ts';
import { Problem } from '../http/problem.ts';
import { parseWith } from '../http/validation-error.ts';
import { PlanRequest } from '../schema/plan.ts';
import { planFromWire } from '../wire/plan.ts';

/** Reads a request to save a plan as the route does, and says what the plan would be; nothing is written. */
export const draftPlan =
  (db: Database): DraftPlan =>
  async (vendorId, body) => {
    try {
      return { plan: await planOf(db, vendorId, body) };
    } catch (error) {
      const problems = wrongFields(error);
      if (problems === null) throw error;
      return { problems };
    }
  };

async function planOf(db: Database, vendorId: string, request: unknown): Promise<CataloguePlan> {
  const body = parseWith(PlanRequest, request, 'body');
  const existing = body.id ? await readPlan(db, vendorId, body.id) : null;
  if (body.id && existing === null) throw new Problem('plan_not_found');
  const retired = existing === null ? [] : await retiredFeatures(db.em(), existing.id);
  const plan = planFromWire(body, existing, retired, Date.now());
  const problems = checkPlan(plan);
  if (problems.length > 0) throw new BillingError(problems);
  return plan;
}
