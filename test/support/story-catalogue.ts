/** Plans as stories name them: plain data, made in the vendor's catalogue when somebody first signs them. */
export type Price = { amount: string; strategy_details: Record<string, unknown>; free_cycles?: number; tax_code?: string };

export type Trigger = 'every_cycle' | 'first_cycle' | 'on_demand' | 'month' | 'quarter' | 'year';
export type Feature = { price?: Price; trigger?: Trigger; group?: string };
export type Pricing = { cycle: string; currency: string; price?: Price; groups?: Record<string, Price>; features?: Record<string, Price> };
export type Plan = {
  slug: string;
  strategy: 'plan' | 'feature' | 'group';
  trialDays: number;
  features: Record<string, Feature>;
  pricings: [Pricing, ...Pricing[]];
};

export type Discount = { slug: string; discount_type: 'percentage' | 'flat'; amount: string; duration: number; currency?: string };

export const flat = (amount: string, more: Partial<Price> = {}): Price => ({
  amount,
  strategy_details: { pricing_strategy: 'flat' },
  ...more,
});

/** Bought units, for instance seats; `unit_count` is the plan's default number. */
export const perUnit = (amount: string, details: Record<string, unknown> = {}): Price => ({
  amount,
  strategy_details: { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: '1', minimum_units: '0', ...details },
});

export const metered = (amount: string, details: Record<string, unknown> = {}): Price => ({
  amount,
  strategy_details: { pricing_strategy: 'usage', unit_name: 'call', over_usage_charge_strategy: 'extra_usage_overcharge', ...details },
});

export type Tier = { up_to: string | null; unit_price: string; flat_fee?: string };
const tiered =
  (pricing_strategy: 'unit_tiered' | 'usage_tiered') =>
  (tier_mode: 'graduated' | 'volume', tiers: Tier[]): Price => ({
    amount: '0',
    strategy_details: {
      pricing_strategy,
      tier_mode,
      unit_name: 'unit',
      ...(pricing_strategy === 'unit_tiered' ? { unit_count: '1', minimum_units: '0' } : {}),
      tiers: tiers.map((tier) => ({ flat_fee: '0', ...tier })),
    },
  });
export const tieredUnits = tiered('unit_tiered');
export const tieredUsage = tiered('usage_tiered');

type PlanWords = {
  cycle?: string;
  currency?: string;
  trialDays?: number;
  features?: Record<string, Feature>;
  /** Further pricings of the plan price, for instance the yearly one. */
  also?: { cycle: string; currency?: string; price: string }[];
};

/** A plan that carries a flat price; priced features come on top. */
export const plan = (
  slug: string,
  amount: string,
  { cycle = 'month', currency = 'usd', trialDays = 0, features = {}, also = [] }: PlanWords = {},
): Plan => ({
  slug,
  strategy: 'plan',
  trialDays,
  features,
  pricings: [
    { cycle, currency, price: flat(amount) },
    ...also.map((other) => ({ cycle: other.cycle, currency: other.currency ?? currency, price: flat(other.price) })),
  ],
});

/** A plan whose price is the sum of its features' prices. */
export const planOfFeatures = (
  slug: string,
  features: Record<string, Feature>,
  { cycle = 'month', currency = 'usd', trialDays = 0 }: PlanWords = {},
): Plan => ({
  slug,
  strategy: 'feature',
  trialDays,
  features,
  pricings: [{ cycle, currency }],
});

/** A plan that sells its features in groups, each with one price. */
export const planOfGroups = (slug: string, groups: Record<string, Price>, features: Record<string, Feature>): Plan => ({
  slug,
  strategy: 'group',
  trialDays: 0,
  features,
  pricings: [{ cycle: 'month', currency: 'usd', groups }],
});

export const discount = (slug: string, discount_type: 'percentage' | 'flat', amount: string, duration: number): Discount => ({
  slug,
  discount_type,
  amount,
  duration,
  ...(discount_type === 'flat' ? { currency: 'usd' } : {}),
});

/** What `POST /v1/c/plan` is told. Names are the slugs with a capital: `pro` is sold as "Pro". */
export function planRequest({ slug, strategy, trialDays, features, pricings }: Plan): Record<string, unknown> {
  const own = Object.entries(features).flatMap(([name, { price }]) => (price ? [[name, price] as const] : []));
  return {
    slug,
    internal_name: `${titled(slug)} internal`,
    external_name: titled(slug),
    strategy,
    free_trial_days: trialDays,
    features: Object.entries(features).map(([name, { trigger = 'every_cycle', group = null }]) => ({
      slug: name,
      name: titled(name),
      charge_trigger: trigger,
      group,
    })),
    pricings: pricings.map(({ cycle, currency, price = null, groups = {}, features: special }) => ({
      cycle,
      currency,
      price,
      groups,
      features: special ?? Object.fromEntries(own),
    })),
  };
}

export const titled = (slug: string): string => slug.charAt(0).toUpperCase() + slug.slice(1);
