import type { AnyJson } from '../support/api.ts';
import { flat, metered, type PriceSpec, perUnit } from '../support/story-catalogue.ts';

/** Units of a metered feature that cost its price; what is above costs the second one. */
export interface UsagePrice {
  cents: number;
  maximum: number | null;
  overCents: number;
}

/** Whole cents a unit, so that the arithmetic of the tests needs no rounding. */
const USAGE_PRICES: Readonly<Record<string, UsagePrice>> = {
  basic: { cents: 3, maximum: null, overCents: 0 },
  pro: { cents: 2, maximum: 100, overCents: 5 },
  daily: { cents: 4, maximum: null, overCents: 0 },
  hourly: { cents: 1, maximum: null, overCents: 0 },
};

const usage = (slug: string): PriceSpec => {
  const { cents, maximum, overCents } = USAGE_PRICES[slug] ?? { cents: 0, maximum: null, overCents: 0 };
  const over = maximum === null ? {} : { maximum_units: String(maximum), over_usage_price: (overCents / 100).toFixed(2) };
  return metered((cents / 100).toFixed(2), over);
};

const seats = (amount: string): PriceSpec => perUnit(amount, { unit_count: '2', minimum_units: '1', maximum_units: '40' });

const plan = (slug: string, features: AnyJson[], pricings: AnyJson[], trialDays = 0): AnyJson => ({
  slug,
  internal_name: slug,
  strategy: 'plan',
  free_trial_days: trialDays,
  features,
  pricings,
});
const feature = (slug: string, charge_trigger = 'every_cycle'): AnyJson => ({ slug, name: slug, charge_trigger });

/**
 * `basic` and `pro` meter calls, `daily` and `hourly` meter data, so that a customer may hold one of each; `once` and
 * `yearly` meter nothing.
 */
export function plans(): AnyJson[] {
  const work = [feature('seats'), feature('calls'), feature('setup', 'first_cycle'), feature('report', 'on_demand')];
  const own = [feature('data'), feature('report', 'on_demand')];
  const ofMonth = (slug: string, amount: string, seat: string, cycle: string, credits: AnyJson = null): AnyJson => ({
    currency: 'usd',
    cycle,
    credits,
    price: flat(amount),
    features: { seats: seats(seat), calls: usage(slug), setup: flat('9'), report: flat('7') },
  });
  const short = (slug: string, cycle: string, amount: string): AnyJson => ({
    currency: 'usd',
    cycle,
    price: flat(amount),
    features: { data: usage(slug), report: flat('3') },
  });
  const credits = { amount: '3', expires_after_cycles: 1, rollover_maximum: '2' };
  return [
    plan('basic', work, [ofMonth('basic', '20', '5', 'month'), ofMonth('basic', '5', '1.25', 'week')]),
    plan('pro', work, [ofMonth('pro', '50', '8', 'month', credits), ofMonth('pro', '499', '80', 'year')]),
    plan('daily', own, [short('daily', 'day', '1')], 3),
    plan('hourly', own, [short('hourly', 'hour', '0.10')]),
    plan(
      'once',
      [feature('report', 'on_demand')],
      [{ currency: 'usd', cycle: 'once', price: flat('80'), features: { report: flat('2') } }],
    ),
    plan('yearly', [feature('audit', 'month')], [{ currency: 'usd', cycle: 'year', price: flat('120'), features: { audit: flat('4') } }]),
  ];
}

/** The cycle a plan is signed with, by its slug. */
export const CYCLES: Readonly<Record<string, readonly string[]>> = {
  basic: ['month', 'week'],
  pro: ['month', 'year'],
  daily: ['day'],
  hourly: ['hour'],
  once: ['once'],
  yearly: ['year'],
};

/** The metered feature of a plan. */
export const METERED: Readonly<Record<string, string>> = { basic: 'calls', pro: 'calls', daily: 'data', hourly: 'data' };

/** What a number of units of a plan's metered feature costs. */
export function usageCents(slug: string, units: number): number {
  const price = USAGE_PRICES[slug];
  if (price === undefined) throw new Error(`${slug} meters nothing`);
  const within = price.maximum === null ? units : Math.min(units, price.maximum);
  return within * price.cents + (units - within) * price.overCents;
}
