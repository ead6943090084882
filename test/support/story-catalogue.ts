import type * as shape from '../../client/src/index.ts';

/** Plans as stories name them: plain data, made in the vendor's catalogue when somebody first signs them. */
export type PriceSpec = shape.PriceRequest;
type Details<Kind extends string> = Omit<Extract<PriceSpec['strategy_details'], { pricing_strategy: Kind }>, 'pricing_strategy'>;

export type Trigger = shape.ChargeTrigger;
export type FeatureSpec = { price?: PriceSpec; trigger?: Trigger; group?: string };
export type PricingSpec = {
  cycle: shape.Cycle;
  currency: shape.Currency;
  price?: PriceSpec;
  groups?: Record<string, PriceSpec>;
  features?: Record<string, PriceSpec>;
  credits?: shape.PlanCreditsRequest;
};
export type PlanSpec = {
  slug: string;
  strategy: 'plan' | 'feature' | 'group';
  trialDays: number;
  features: Record<string, FeatureSpec>;
  pauseRules?: shape.PauseRulesRequest;
  pricings: [PricingSpec, ...PricingSpec[]];
};

export type DiscountSpec = {
  slug: string;
  discount_type: shape.DiscountType;
  amount: string;
  duration: number;
  currency?: shape.Currency;
};

export const flat = (amount: string, more: Partial<PriceSpec> = {}): PriceSpec => ({
  amount,
  strategy_details: { pricing_strategy: 'flat' },
  ...more,
});

/** Bought units, for instance seats; `unit_count` is the plan's default number. */
export const perUnit = (amount: string, details: Partial<Details<'per_unit'>> = {}): PriceSpec => ({
  amount,
  strategy_details: { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: '1', minimum_units: '0', ...details },
});

export const metered = (amount: string, details: Partial<Details<'usage'>> = {}): PriceSpec => ({
  amount,
  strategy_details: { pricing_strategy: 'usage', unit_name: 'call', over_usage_charge_strategy: 'extra_usage_overcharge', ...details },
});

export type TierSpec = { up_to: string | null; unit_price: string; flat_fee?: string };
const tiersOf = (tiers: readonly TierSpec[]) => tiers.map((tier) => ({ flat_fee: '0', ...tier }));

export const tieredUnits = (tier_mode: 'graduated' | 'volume', tiers: readonly TierSpec[]): PriceSpec => ({
  amount: '0',
  strategy_details: {
    pricing_strategy: 'unit_tiered',
    tier_mode,
    unit_name: 'unit',
    unit_count: '1',
    minimum_units: '0',
    tiers: tiersOf(tiers),
  },
});

export const tieredUsage = (tier_mode: 'graduated' | 'volume', tiers: readonly TierSpec[]): PriceSpec => ({
  amount: '0',
  strategy_details: { pricing_strategy: 'usage_tiered', tier_mode, unit_name: 'unit', tiers: tiersOf(tiers) },
});

type PlanWords = {
  cycle?: shape.Cycle;
  currency?: shape.Currency;
  trialDays?: number;
  features?: Record<string, FeatureSpec>;
  /** Given with each cycle. */
  credits?: shape.PlanCreditsRequest;
  /** Further pricings of the plan price, for instance the yearly one. */
  also?: { cycle: shape.Cycle; currency?: shape.Currency; price: string }[];
};

/** A plan that carries a flat price; priced features come on top. */
export const plan = (
  slug: string,
  amount: string,
  { cycle = 'month', currency = 'usd', trialDays = 0, features = {}, also = [], credits }: PlanWords = {},
): PlanSpec => ({
  slug,
  strategy: 'plan',
  trialDays,
  features,
  pricings: [
    { cycle, currency, price: flat(amount), ...(credits === undefined ? {} : { credits }) },
    ...also.map((other) => ({ cycle: other.cycle, currency: other.currency ?? currency, price: flat(other.price) })),
  ],
});

/** A plan whose price is the sum of its features' prices. */
export const planOfFeatures = (
  slug: string,
  features: Record<string, FeatureSpec>,
  { cycle = 'month', currency = 'usd', trialDays = 0 }: PlanWords = {},
): PlanSpec => ({
  slug,
  strategy: 'feature',
  trialDays,
  features,
  pricings: [{ cycle, currency }],
});

/** A plan that sells its features in groups, each with one price. */
export const planOfGroups = (slug: string, groups: Record<string, PriceSpec>, features: Record<string, FeatureSpec>): PlanSpec => ({
  slug,
  strategy: 'group',
  trialDays: 0,
  features,
  pricings: [{ cycle: 'month', currency: 'usd', groups }],
});

export const discount = (
  slug: string,
  discount_type: 'percentage' | 'flat',
  amount: string,
  duration: number,
  currency: shape.Currency = 'usd',
): DiscountSpec => ({
  slug,
  discount_type,
  amount,
  duration,
  ...(discount_type === 'flat' ? { currency } : {}),
});

/** What `POST /v1/c/plan` gets. Names are the slugs with a capital: `pro` is sold as "Pro". */
export function planToSave({ slug, strategy, trialDays, features, pauseRules, pricings }: PlanSpec): shape.PlanRequest {
  const own = Object.entries(features).flatMap(([name, { price }]) => (price ? [[name, price] as const] : []));
  return {
    slug,
    internal_name: `${titled(slug)} internal`,
    external_name: titled(slug),
    strategy,
    free_trial_days: trialDays,
    ...(pauseRules === undefined ? {} : { pause_rules: pauseRules }),
    features: Object.entries(features).map(([name, { trigger = 'every_cycle', group = null }]) => ({
      slug: name,
      name: titled(name),
      charge_trigger: trigger,
      group,
    })),
    pricings: pricings.map(({ cycle, currency, price = null, groups = {}, features: special, credits = null }) => ({
      cycle,
      currency,
      price,
      groups,
      features: special ?? Object.fromEntries(own),
      credits,
    })),
  };
}

export const titled = (slug: string): string => slug.charAt(0).toUpperCase() + slug.slice(1);
