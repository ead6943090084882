import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { Price } from '../../billing/pricing/price.ts';
import { newId } from '../../db/id.ts';
import type { CatalogueFeature, CataloguePlan, CataloguePricing } from '../../db/plan/plan.ts';
import type { Plan, PlanRequest } from '../schema/plan.ts';
import { priceFromWire, priceToWire } from './price.ts';

type PlanInput = z.output<typeof PlanRequest>;
type PricingInput = NonNullable<PlanInput['pricings']>[number];

export function planToWire(plan: CataloguePlan): z.input<typeof Plan> {
  return {
    id: plan.id,
    slug: plan.slug,
    internal_name: plan.internalName,
    external_name: plan.externalName,
    description: plan.description,
    strategy: plan.strategy,
    free_trial_days: plan.freeTrialDays,
    metadata: plan.metadata,
    status: plan.status,
    created: iso(plan.created),
    features: plan.features.map(({ id, slug, name, chargeTrigger, group }) => ({
      feature_id: id,
      slug,
      name,
      charge_trigger: chargeTrigger,
      group,
    })),
    pricings: plan.pricings.map(pricingToWire),
  };
}

function pricingToWire(pricing: CataloguePricing) {
  const prices = (map: Record<string, Price>) =>
    Object.fromEntries(Object.entries(map).map(([name, price]) => [name, priceToWire(price, pricing.currency)]));
  return {
    pricing_id: pricing.id,
    currency: pricing.currency,
    cycle: pricing.cycle,
    free_cycles: pricing.freeCycles,
    price: pricing.price === null ? null : priceToWire(pricing.price, pricing.currency),
    features: prices(pricing.features),
    groups: prices(pricing.groups),
  };
}

/**
 * The plan a request describes, on top of the present one: absent = unchanged, null = cleared. Slugs keep their feature's id;
 * a pricing that says the same as before keeps its id too.
 */
export function planFromWire(
  body: PlanInput,
  present: CataloguePlan | null,
  retired: readonly CatalogueFeature[],
  at: number,
): CataloguePlan {
  const known = new Map([...retired, ...(present?.features ?? [])].map((feature) => [feature.slug, feature.id]));
  const pick = <T>(given: T | undefined, before: T | undefined, otherwise: T): T => given ?? before ?? otherwise;
  return {
    id: present?.id ?? newId('Plan'),
    slug: pick(body.slug, present?.slug, ''),
    internalName: pick(body.internal_name, present?.internalName, ''),
    externalName: body.external_name === undefined ? (present?.externalName ?? null) : body.external_name,
    description: body.description === undefined ? (present?.description ?? null) : body.description,
    strategy: pick(body.strategy, present?.strategy, 'plan'),
    freeTrialDays: body.free_trial_days === undefined ? (present?.freeTrialDays ?? 0) : (body.free_trial_days ?? 0),
    metadata: body.metadata === undefined ? (present?.metadata ?? {}) : (body.metadata ?? {}),
    status: present?.status ?? 'active',
    created: present?.created ?? at,
    features: body.features === undefined ? (present?.features ?? []) : featuresFromWire(body.features ?? [], known),
    pricings: body.pricings === undefined ? (present?.pricings ?? []) : body.pricings.map((one) => pricingFromWire(one, present)),
  };
}

function featuresFromWire(features: NonNullable<PlanInput['features']>, known: ReadonlyMap<string, string>): CatalogueFeature[] {
  return features.map(({ slug, name, charge_trigger, group }) => ({
    id: known.get(slug) ?? newId('Feat'),
    slug,
    name,
    chargeTrigger: charge_trigger ?? 'every_cycle',
    group: group ?? null,
  }));
}

function pricingFromWire(pricing: PricingInput, present: CataloguePlan | null): CataloguePricing {
  const prices = (map: Record<string, Parameters<typeof priceFromWire>[0]> | null | undefined) =>
    Object.fromEntries(Object.entries(map ?? {}).map(([name, price]) => [name, priceFromWire(price)]));
  const made: CataloguePricing = {
    id: newId('Price'),
    currency: pricing.currency,
    cycle: pricing.cycle,
    freeCycles: pricing.free_cycles ?? 0,
    price: pricing.price == null ? null : priceFromWire(pricing.price),
    features: prices(pricing.features),
    groups: prices(pricing.groups),
  };
  const before = present?.pricings.find(({ currency, cycle }) => currency === made.currency && cycle === made.cycle);
  return before !== undefined && isSame(before, made) ? before : made;
}

/** Ids apart; the database gives maps back in an order of its own. */
const isSame = (a: CataloguePricing, b: CataloguePricing): boolean =>
  JSON.stringify(sorted(pricingToWire({ ...a, id: '' }))) === JSON.stringify(sorted(pricingToWire({ ...b, id: '' })));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)]));
}
