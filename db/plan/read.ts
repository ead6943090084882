import type { EntityManager } from '@mikro-orm/postgresql';
import type { OfferedFeature, OfferedPricing } from '../../billing/contract/terms/offer.ts';
import { Feature, Plan } from '../entities/catalogue.ts';
import { FOR_UPDATE } from '../sql/lock.ts';
import type { CataloguePlan } from './plan.ts';

/** The plan as it is sold now, locked until the transaction ends. Of what it was sold at before nothing is read. */
export async function lockPlan(em: EntityManager, vendorId: string, planId: string): Promise<CataloguePlan | null> {
  const plan = await em.findOne(Plan, { id: planId, vendor: vendorId }, FOR_UPDATE);
  if (plan === null) return null;
  await em.populate(plan, ['features', 'pricings'], { where: { features: { archived: false }, pricings: { active: true } } });
  const { vendor: _vendor, ...facts } = plan;
  return {
    ...facts,
    features: plan.features.getItems().map(featureOf),
    pricings: plan.pricings.getItems().map(pricingOf),
  };
}

/** The feature as billing knows it, without the columns that only the database needs. */
const featureOf = ({ id, slug, name, chargeTrigger, group, value }: OfferedFeature): OfferedFeature => ({
  id,
  slug,
  name,
  chargeTrigger,
  group,
  value,
});

const pricingOf = ({ id, currency, cycle, freeCycles, price, features, groups, credits }: OfferedPricing): OfferedPricing => ({
  id,
  currency,
  cycle,
  freeCycles,
  price,
  features,
  groups,
  credits: credits ?? null,
});

/** Those features among some slugs that the plan had once: a slug that comes back has the id it had. */
export const retiredFeatures = (em: EntityManager, planId: string, slugs: readonly string[]): Promise<OfferedFeature[]> =>
  em.find(Feature, { plan: planId, archived: true, slug: { $in: [...slugs] } });
