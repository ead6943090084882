import type { Cycle } from '../../calendar/cycle.ts';
import type { PlanCredits } from '../../credit/types.ts';
import type { Currency } from '../../money/currency.ts';
import type { ChargeTrigger, PlanStrategy, Price } from '../../pricing/price.ts';
import { refuse } from '../../refusal.ts';
import type { GivenPauseRules } from '../period/pause-rules.ts';
import type { GivenChangeRules } from './change-rules.ts';

/** Something that a plan gives and that is neither counted nor charged. */
export type FeatureValue = string | boolean;

/** A feature in the catalogue. */
export interface OfferedFeature {
  id: string;
  slug: string;
  name: string;
  chargeTrigger: ChargeTrigger;
  group: string | null;
  /** what it gives where it has no price, such as "priority" or true; null: nothing to tell */
  value: FeatureValue | null;
}

/** A plan's prices for one currency and cycle, by feature slug and group name. */
export interface OfferedPricing {
  id: string;
  currency: Currency;
  cycle: Cycle;
  freeCycles: number;
  price: Price | null;
  features: Record<string, Price>;
  groups: Record<string, Price>;
  /** what is given with each cycle; null or absent: nothing */
  credits?: PlanCredits | null;
}

/** A plan of the catalogue without its prices. */
export interface OfferedPlan {
  id: string;
  slug: string;
  internalName: string;
  externalName: string | null;
  description: string | null;
  strategy: PlanStrategy;
  freeTrialDays: number;
  features: OfferedFeature[];
  changeRules: GivenChangeRules;
  pauseRules: GivenPauseRules;
}

/** What is sold: a plan with the one pricing that is asked for. */
export interface Offer {
  plan: OfferedPlan;
  pricing: OfferedPricing;
}

/** Which of a plan's pricings is asked for. `usual` = the contract's own, taken where nothing else is given. */
export interface PricingChoice {
  pricingId: string | null;
  currency: Currency | null;
  cycle: Cycle | null;
  usual: { currency: Currency; cycle: Cycle } | null;
}

/**
 * The pricing that is asked for. Without `cycle` that of the contract's own cycle, or the only one in that currency.
 *
 * @param path of the request's object that asks, with its dot: the field at fault is named behind it
 * @throws Refusal `pricing_not_found`, with the field that fits none
 */
export function choosePricing(pricings: readonly OfferedPricing[], input: PricingChoice, path = ''): OfferedPricing {
  const fits = (pricing: OfferedPricing): boolean =>
    (input.pricingId === null || pricing.id === input.pricingId) &&
    (input.currency === null || pricing.currency === input.currency) &&
    (input.cycle === null || pricing.cycle === input.cycle);
  const fitting = pricings.filter(fits);
  const { usual } = input;
  const inCurrency = input.currency === null && usual ? fitting.filter(({ currency }) => currency === usual.currency) : fitting;
  const likely = input.pricingId === null ? inCurrency : fitting;
  const [first, second] = likely;
  const own = likely.find(({ cycle }) => cycle === usual?.cycle);
  const chosen = own ?? (second === undefined ? first : undefined);
  return chosen ?? refuse('pricing_not_found', noSuchPricing(pricings), `${path}${misfit(pricings, input)}`);
}

const MOST_NAMED = 6;

function noSuchPricing(pricings: readonly OfferedPricing[]): string {
  const named = pricings.slice(0, MOST_NAMED).map(({ currency, cycle }) => `${currency} ${cycle}`);
  const more = pricings.length > MOST_NAMED ? ` and ${pricings.length - MOST_NAMED} more` : '';
  return `the plan has no such pricing; give the pricing_id, or currency and cycle, of one it has: ${named.join(', ')}${more}`;
}

/** The field that keeps every pricing from being chosen; where several are left, the cycle would tell them apart. */
function misfit(pricings: readonly OfferedPricing[], { pricingId, currency, usual }: PricingChoice): 'pricing_id' | 'currency' | 'cycle' {
  if (pricingId !== null) return 'pricing_id';
  const asked = currency ?? usual?.currency ?? null;
  return asked === null || pricings.some((one) => one.currency === asked) ? 'cycle' : 'currency';
}
