import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { OfferedFeature, OfferedPricing } from '../../billing/contract/terms/offer.ts';
import type { PlanCredits } from '../../billing/credit/types.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Price } from '../../billing/pricing/price.ts';
import { newId } from '../../db/id.ts';
import type { CataloguePlan, HeldPlan } from '../../db/plan/plan.ts';
import type { PlanVersionRow } from '../../db/sql/plan/list-versions.ts';
import type { Plan, PlanRequest, PlanVersion } from '../schema/plan.ts';
import { changeRulesFromWire, ownChangeRulesToWire } from './change-rules.ts';
import { ownPauseRulesToWire, pauseRulesFromWire } from './pause-rules.ts';
import { priceFromWire, priceToWire } from './price.ts';

type PlanInput = z.output<typeof PlanRequest>;
type PricingInput = NonNullable<PlanInput['pricings']>[number];

export const planToWire = (plan: CataloguePlan): z.input<typeof Plan> => ({
  id: plan.id,
  ...heldToWire(plan),
  status: plan.status,
  created: iso(plan.created),
});

export const planVersionToWire = ({ number, began, ended, held }: PlanVersionRow): z.input<typeof PlanVersion> => ({
  version: number,
  began: iso(began),
  ended: ended === null ? null : iso(ended),
  ...heldToWire(held),
});

function heldToWire(plan: HeldPlan) {
  return {
    slug: plan.slug,
    internal_name: plan.internalName,
    external_name: plan.externalName,
    description: plan.description,
    strategy: plan.strategy,
    free_trial_days: plan.freeTrialDays,
    metadata: plan.metadata,
    change_rules: ownChangeRulesToWire(plan.changeRules),
    pause_rules: ownPauseRulesToWire(plan.pauseRules),
    features: plan.features.map(({ id, slug, name, chargeTrigger, group, value }) => ({
      feature_id: id,
      slug,
      name,
      charge_trigger: chargeTrigger,
      group,
      value,
    })),
    pricings: plan.pricings.map(pricingToWire),
  };
}

function pricingToWire(pricing: OfferedPricing) {
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
    credits: creditsToWire(pricing),
  };
}

function creditsToWire({ credits, currency }: OfferedPricing) {
  if (!credits) return null;
  const { amount, expiresAfterCycles, rolloverMaximum } = credits;
  return {
    amount: moneyText(amount, currency),
    expires_after_cycles: expiresAfterCycles,
    rollover_maximum: rolloverMaximum === null ? null : moneyText(rolloverMaximum, currency),
  };
}

function creditsFromWire(credits: PricingInput['credits']): PlanCredits | null {
  if (credits == null) return null;
  const { amount, expires_after_cycles: expiresAfterCycles, rollover_maximum: rolloverMaximum = null } = credits;
  return { amount, expiresAfterCycles, rolloverMaximum };
}

/**
 * The plan after a request: absent fields stay as in the current plan, null clears.
 * A feature keeps the id of its slug, and an unchanged pricing keeps its id.
 */
export function planFromWire(
  body: PlanInput,
  current: CataloguePlan | null,
  retired: readonly OfferedFeature[],
  at: number,
): CataloguePlan {
  const known = new Map([...retired, ...(current?.features ?? [])].map((feature) => [feature.slug, feature.id]));
  const pick = <T>(given: T | undefined, before: T | undefined, otherwise: T): T => given ?? before ?? otherwise;
  return {
    id: current?.id ?? newId('Plan'),
    slug: pick(body.slug, current?.slug, ''),
    internalName: pick(body.internal_name, current?.internalName, ''),
    externalName: body.external_name === undefined ? (current?.externalName ?? null) : body.external_name,
    description: body.description === undefined ? (current?.description ?? null) : body.description,
    strategy: pick(body.strategy, current?.strategy, 'plan'),
    freeTrialDays: body.free_trial_days === undefined ? (current?.freeTrialDays ?? 0) : (body.free_trial_days ?? 0),
    metadata: body.metadata === undefined ? (current?.metadata ?? {}) : (body.metadata ?? {}),
    ...rulesAfter(body, current),
    status: current?.status ?? 'active',
    created: current?.created ?? at,
    features: body.features === undefined ? (current?.features ?? []) : featuresFromWire(body.features ?? [], known),
    pricings: body.pricings === undefined ? (current?.pricings ?? []) : body.pricings.map((pricing) => pricingFromWire(pricing, current)),
  };
}

function rulesAfter(
  { change_rules, pause_rules }: PlanInput,
  current: CataloguePlan | null,
): Pick<CataloguePlan, 'changeRules' | 'pauseRules'> {
  return {
    changeRules: change_rules === undefined ? (current?.changeRules ?? {}) : changeRulesFromWire(change_rules),
    pauseRules: pause_rules === undefined ? (current?.pauseRules ?? {}) : pauseRulesFromWire(pause_rules),
  };
}

function featuresFromWire(features: NonNullable<PlanInput['features']>, known: ReadonlyMap<string, string>): OfferedFeature[] {
  return features.map(({ slug, name, charge_trigger, group, value }) => ({
    id: known.get(slug) ?? newId('Feat'),
    slug,
    name,
    chargeTrigger: charge_trigger ?? 'every_cycle',
    group: group ?? null,
    value: value ?? null,
  }));
}

function pricingFromWire(pricing: PricingInput, current: CataloguePlan | null): OfferedPricing {
  const prices = (map: Record<string, Parameters<typeof priceFromWire>[0]> | null | undefined) =>
    Object.fromEntries(Object.entries(map ?? {}).map(([name, price]) => [name, priceFromWire(price)]));
  const made: OfferedPricing = {
    id: newId('Price'),
    currency: pricing.currency,
    cycle: pricing.cycle,
    freeCycles: pricing.free_cycles ?? 0,
    price: pricing.price == null ? null : priceFromWire(pricing.price),
    features: prices(pricing.features),
    groups: prices(pricing.groups),
    credits: creditsFromWire(pricing.credits),
  };
  const before = current?.pricings.find(({ currency, cycle }) => currency === made.currency && cycle === made.cycle);
  return before !== undefined && isSame(before, made) ? before : made;
}

/** Compares all but the ids; keys are sorted, since the database returns maps in another order. */
const isSame = (a: OfferedPricing, b: OfferedPricing): boolean =>
  JSON.stringify(sorted(pricingToWire({ ...a, id: '' }))) === JSON.stringify(sorted(pricingToWire({ ...b, id: '' })));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)]));
}
