import type { EntityManager } from '@mikro-orm/postgresql';
import type { OfferedFeature, OfferedPricing } from '../../billing/contract/terms/offer.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { Feature, Plan, type PlanRecord, Pricing } from '../../db/entities/catalogue.ts';
import type { CataloguePlan } from '../../db/plan/plan.ts';
import { violatedConstraint } from '../../db/sql-state.ts';
import { keepVersion } from './keep-version.ts';

/** Each feature and price that a plan ever had stays as a row: only those it is sold with can be kept or retired. */
const SOLD_NOW = {
  populate: ['features', 'pricings'],
  populateWhere: { features: { archived: false }, pricings: { active: true } },
} as const;

/**
 * Writes a plan in its new state, and keeps that as its newest version. Pricings that are not in it any more are
 * retired, never changed: contracts point at them.
 */
export async function savePlan(tx: Tx, vendorId: string, plan: CataloguePlan, at: number): Promise<void> {
  const { em } = tx;
  const { features, pricings, ...facts } = plan;
  const stored = (await em.findOne(Plan, { id: facts.id, vendor: vendorId }, SOLD_NOW)) ?? em.create(Plan, { ...facts, vendor: vendorId });
  em.assign(stored, facts);
  retire(stored, features, pricings);
  // the retired ones are written first: of each currency and cycle one pricing is active
  await flushPlan(em);
  await writeFeatures(em, stored, features);
  writePricings(em, stored, pricings, at);
  await em.flush();
  await keepVersion(tx, vendorId, plan, at);
}

async function flushPlan(em: EntityManager): Promise<void> {
  try {
    await em.flush();
  } catch (error) {
    if (violatedConstraint(error) === 'plan_slug_unique')
      throw new Refusal('slug_taken', 'another plan has this slug', { slug: 'is taken' });
    throw error;
  }
}

function retire(plan: PlanRecord, features: readonly OfferedFeature[], pricings: readonly OfferedPricing[]): void {
  const kept = new Set([...features, ...pricings].map(({ id }) => id));
  for (const feature of plan.features) feature.archived ||= !kept.has(feature.id);
  for (const pricing of plan.pricings) pricing.active &&= kept.has(pricing.id);
}

/** One that comes back is the row it was. */
async function writeFeatures(em: EntityManager, plan: PlanRecord, features: readonly OfferedFeature[]): Promise<void> {
  const back = await em.find(Feature, { plan: plan.id, archived: true, id: { $in: features.map(({ id }) => id) } });
  const known = new Map([...plan.features.getItems(), ...back].map((feature) => [feature.id, feature]));
  for (const [position, feature] of features.entries()) {
    const row = { ...feature, position, archived: false };
    const before = known.get(feature.id);
    if (before === undefined) em.create(Feature, { ...row, plan, vendor: plan.vendor });
    else em.assign(before, row);
  }
}

function writePricings(em: EntityManager, plan: PlanRecord, pricings: readonly OfferedPricing[], at: number): void {
  const known = new Set(plan.pricings.getItems().map(({ id }) => id));
  for (const [position, pricing] of pricings.entries()) {
    if (!known.has(pricing.id))
      em.create(Pricing, { ...pricing, credits: pricing.credits ?? null, plan, vendor: plan.vendor, position, created: at });
  }
}

/** Archives a plan: it isn't sold any more, and running contracts go on. */
export async function archivePlan({ em }: Tx, vendorId: string, planId: string): Promise<boolean> {
  return (await em.nativeUpdate(Plan, { id: planId, vendor: vendorId }, { status: 'archived' })) > 0;
}
