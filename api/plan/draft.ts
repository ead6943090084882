import type { DraftPlan } from '../../console/http/parts.ts';
import type { Database } from '../../db/connect.ts';
import type { CataloguePlan } from '../../db/plan/plan.ts';
import { readPlan } from '../../db/sql/plan/read.ts';
import { wrongFields } from '../http/failure.ts';
import { parseWith } from '../http/validation-error.ts';
import { PlanRequest } from '../schema/plan.ts';
import { requestedPlan } from './requested.ts';

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
  return requestedPlan(db.em(), body, existing, Date.now());
}
