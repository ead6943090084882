import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import { checkPlan } from '../../billing/contract/terms/check-terms.ts';
import { BillingError } from '../../billing/problem.ts';
import type { CataloguePlan } from '../../db/plan/plan.ts';
import { retiredFeatures } from '../../db/plan/read.ts';
import { Problem } from '../http/problem.ts';
import type { PlanRequest } from '../schema/plan.ts';
import { planFromWire } from '../wire/plan.ts';

/**
 * What a plan would be after a request to save it. Throws `plan_not_found` where the request names a plan that doesn't
 * exist, and a BillingError that names each wrong field.
 */
export async function requestedPlan(
  em: EntityManager,
  body: z.output<typeof PlanRequest>,
  existing: CataloguePlan | null,
  now: number,
): Promise<CataloguePlan> {
  if (body.id && existing === null) throw new Problem('plan_not_found');
  const slugs = (body.features ?? []).map(({ slug }) => slug);
  const retired = existing === null ? [] : await retiredFeatures(em, existing.id, slugs);
  const plan = planFromWire(body, existing, retired, now);
  const problems = checkPlan(plan);
  if (problems.length > 0) throw new BillingError(problems);
  return plan;
}
