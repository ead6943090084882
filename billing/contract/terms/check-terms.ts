import { CYCLES, isCycle, isPeriodic } from '../../calendar/cycle.ts';
import type { PlanCredits } from '../../credit/types.ts';
import { CURRENCY_ADVICE, isCurrency, minorDigits } from '../../money/currency.ts';
import { dec, ZERO } from '../../money/decimal.ts';
import { CHARGE_TRIGGERS, type ChargeTrigger, checkPrice, isUsagePriced, type PlanStrategy, type Price } from '../../pricing/price.ts';
import type { FieldProblem } from '../../problem.ts';
import type { FeatureValue } from './offer.ts';

/** A feature as it is to be sold. */
export interface PlanFeatureInput {
  slug: string;
  name: string;
  chargeTrigger: string;
  group: string | null;
  value: FeatureValue | null;
}

/** The prices of a plan in one currency and cycle, by feature slug and group name. */
export interface PricingInput {
  currency: string;
  cycle: string;
  freeCycles: number;
  price: Price | null;
  features: Readonly<Record<string, Price>>;
  groups: Readonly<Record<string, Price>>;
  credits?: PlanCredits | null;
}

/** A plan that is to be made by `POST /v1/c/plan`. */
export interface PlanInput {
  slug: string;
  internalName: string;
  strategy: string;
  freeTrialDays: number;
  features: readonly PlanFeatureInput[];
  pricings: readonly PricingInput[];
}

const STRATEGIES: readonly PlanStrategy[] = ['plan', 'feature', 'group'];
/** A hundred years: a longer trial is a mistake. */
const MOST_DAYS = 36_500;
const MOST_FREE_CYCLES = 10_000;

/**
 * Everything that is wrong with a plan: it is refused when it is made, so that it never fails at billing time.
 *
 * @returns problems under the names the fields have in requests; empty when nothing is wrong
 */
export function checkPlan(plan: PlanInput): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (plan.slug.trim() === '') problems.push(problem('slug', 'blank', 'give a slug'));
  if (plan.internalName.trim() === '') problems.push(problem('internal_name', 'blank', 'give a name'));
  if (!isOneOf(STRATEGIES, plan.strategy)) problems.push(problem('strategy', 'unknown_strategy', `give one of ${STRATEGIES.join(', ')}`));
  problems.push(...checkCount(plan.freeTrialDays, 'free_trial_days', MOST_DAYS));
  problems.push(...plan.features.flatMap((feature, index) => checkFeature(plan, feature, index)));
  if (plan.pricings.length === 0) problems.push(problem('pricings', 'no_pricing', 'give at least one pricing'));
  problems.push(...plan.pricings.flatMap((pricing, index) => checkPricing(plan, pricing, index)));
  return problems;
}

function checkFeature(plan: PlanInput, feature: PlanFeatureInput, index: number): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const at = `features[${index}]`;
  if (feature.slug.trim() === '') problems.push(problem(`${at}.slug`, 'blank', 'give a slug'));
  if (plan.features.findIndex(({ slug }) => slug === feature.slug) < index) {
    problems.push(problem(`${at}.slug`, 'duplicate_slug', `"${feature.slug}" is taken by an earlier feature; give another slug`));
  }
  if (!isOneOf(CHARGE_TRIGGERS, feature.chargeTrigger)) {
    problems.push(problem(`${at}.charge_trigger`, 'unknown_charge_trigger', `give one of ${CHARGE_TRIGGERS.join(', ')}`));
  }
  const { group } = feature;
  if (group === null) return problems;
  if (plan.strategy !== 'group') return [...problems, problem(`${at}.group`, 'group_not_used', 'leave it out, or use strategy "group"')];
  if (!plan.pricings.some(({ groups }) => Object.hasOwn(groups, group))) {
    problems.push(problem(`${at}.group`, 'unknown_group', `give group "${group}" a price, or leave the group out`));
  }
  return problems;
}

function checkPricing(plan: PlanInput, pricing: PricingInput, index: number): FieldProblem[] {
  const at = `pricings[${index}]`;
  const problems: FieldProblem[] = [];
  if (!isCurrency(pricing.currency)) problems.push(problem(`${at}.currency`, 'unknown_currency', CURRENCY_ADVICE));
  if (!isCycle(pricing.cycle)) problems.push(problem(`${at}.cycle`, 'unknown_cycle', `give one of ${CYCLES.join(', ')}`));
  if (plan.pricings.findIndex(({ currency, cycle }) => currency === pricing.currency && cycle === pricing.cycle) < index) {
    problems.push(
      problem(at, 'duplicate_pricing', `there is a pricing in ${pricing.currency} a ${pricing.cycle} already; give one of each`),
    );
  }
  problems.push(...checkCount(pricing.freeCycles, `${at}.free_cycles`, MOST_FREE_CYCLES));
  problems.push(...checkCredits(pricing, `${at}.credits`));
  problems.push(...checkPlanPrice(plan, pricing, at), ...checkFeaturePrices(plan, pricing, at), ...checkGroupPrices(plan, pricing, at));
  return problems;
}

/** Credits need a cycle that recurs: it says when they are given and when they end. */
function checkCredits({ credits, currency, cycle }: PricingInput, at: string): FieldProblem[] {
  if (!credits) return [];
  const problems: FieldProblem[] = [];
  if (isCycle(cycle) && !isPeriodic(cycle)) problems.push(problem(at, 'credits_need_cycles', 'leave it out, or use a cycle that recurs'));
  const isMoney = (amount: string): boolean =>
    dec(amount).gt(ZERO) && (!isCurrency(currency) || dec(amount).decimalPlaces() <= minorDigits(currency));
  const advice = 'give more than zero, with no more digits than the currency has';
  if (!isMoney(credits.amount)) problems.push(problem(`${at}.amount`, 'invalid_amount', advice));
  const most = credits.rolloverMaximum;
  if (most !== null && !isMoney(most)) problems.push(problem(`${at}.rollover_maximum`, 'invalid_amount', advice));
  return problems;
}

function checkPlanPrice({ strategy }: PlanInput, { price }: PricingInput, at: string): FieldProblem[] {
  const field = `${at}.price`;
  if (strategy !== 'plan') return price === null ? [] : [problem(field, 'price_not_used', 'leave it out, or use strategy "plan"')];
  // Without a price of its own a plan costs what its features cost.
  return price === null ? [] : checkSharedPrice(price, field);
}

function checkFeaturePrices(plan: PlanInput, pricing: PricingInput, at: string): FieldProblem[] {
  return Object.entries(pricing.features).flatMap(([slug, price]) => {
    const field = `${at}.features.${slug}`;
    const feature = plan.features.find((one) => one.slug === slug);
    if (feature === undefined) return [problem(field, 'unknown_feature', 'give the slug of a feature of this plan')];
    const problems = checkPrice(price, field, { chargeTrigger: triggerOf(feature) });
    if (feature.value !== null) problems.push(problem(field, 'price_not_used', 'leave it out, or the value of the feature'));
    if (feature.group !== null && plan.strategy === 'group') {
      problems.push(problem(field, 'price_not_used', `leave it out: the price of group "${feature.group}" covers it`));
    }
    return problems;
  });
}

function triggerOf({ chargeTrigger }: PlanFeatureInput): ChargeTrigger {
  // An unknown trigger is a problem of its own; the price is then checked as if it had the usual one.
  return isOneOf(CHARGE_TRIGGERS, chargeTrigger) ? chargeTrigger : 'every_cycle';
}

function checkGroupPrices(plan: PlanInput, pricing: PricingInput, at: string): FieldProblem[] {
  const used = new Set(plan.features.flatMap(({ group }) => (group === null ? [] : [group])));
  const given = Object.entries(pricing.groups).flatMap(([name, price]) => {
    const field = `${at}.groups.${name}`;
    if (plan.strategy !== 'group') return [problem(field, 'price_not_used', 'leave it out, or use strategy "group"')];
    if (!used.has(name)) return [problem(field, 'unknown_group', 'give the group of a feature of this plan')];
    return checkSharedPrice(price, field);
  });
  if (plan.strategy !== 'group') return given;
  const elsewhere = new Set(plan.pricings.flatMap(({ groups }) => Object.keys(groups)));
  const missing = [...used].filter((name) => elsewhere.has(name) && !Object.hasOwn(pricing.groups, name));
  return [...given, ...missing.map((name) => problem(`${at}.groups.${name}`, 'missing_price', 'give the price of this group'))];
}

/** A price of a plan or a group: usage is never reported for those. */
function checkSharedPrice(price: Price, field: string): FieldProblem[] {
  const problems = checkPrice(price, field, { chargeTrigger: null });
  if (!isUsagePriced(price)) return problems;
  return [
    ...problems,
    problem(`${field}.strategy_details.pricing_strategy`, 'usage_needs_feature', 'price usage on a feature: it is reported by its slug'),
  ];
}

/** A whole number from 0 to a bound. */
function checkCount(count: number, field: string, most: number): FieldProblem[] {
  return Number.isInteger(count) && count >= 0 && count <= most
    ? []
    : [problem(field, 'invalid_count', `give a whole number from 0 to ${most}`)];
}

function isOneOf<Value extends string>(values: readonly Value[], value: string): value is Value {
  return values.some((one) => one === value);
}

function problem(field: string, code: string, message: string): FieldProblem {
  return { field, code, message };
}
