import type { Cycle } from '../../billing/calendar/cycle.ts';
import type { GivenPauseRules } from '../../billing/contract/period/pause-rules.ts';
import type { GivenChangeRules } from '../../billing/contract/terms/change-rules.ts';
import type { Offer, OfferedFeature } from '../../billing/contract/terms/offer.ts';
import type { PlanCredits } from '../../billing/credit/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { ChargeTrigger, PlanStrategy, Price, StrategyDetails } from '../../billing/pricing/price.ts';

/** A flat price, or one with details. */
export function price(amount: string, strategy: StrategyDetails = { kind: 'flat' }, freeCycles = 0): Price {
  return { id: `Price_${amount}`, amount, strategy, freeCycles, taxCode: null };
}

/** Units bought. */
export function seats(amount: string, unitCount: string, limits: { minimum?: string; maximum?: string; flatFee?: string } = {}): Price {
  return price(amount, {
    kind: 'per_unit',
    unitName: 'seat',
    unitCount,
    minimumUnits: limits.minimum ?? '1',
    maximumUnits: limits.maximum ?? null,
    batchSize: null,
    flatFee: limits.flatFee ?? null,
  });
}

/** Units used. */
export function usagePrice(amount: string, more: { minimum?: string; flatFee?: string; batch?: number; maximum?: string } = {}): Price {
  return price(amount, {
    kind: 'usage',
    unitName: 'call',
    overUsageChargeStrategy: 'extra_usage_overcharge',
    overUsagePrice: null,
    minimumUnits: more.minimum ?? null,
    maximumUnits: more.maximum ?? null,
    batchSize: more.batch ?? null,
    flatFee: more.flatFee ?? null,
  });
}

interface PlanWords {
  changeRules?: GivenChangeRules;
  pauseRules?: GivenPauseRules;
  price?: string | Price | null;
  cycle?: Cycle;
  currency?: Currency;
  strategy?: PlanStrategy;
  trialDays?: number;
  freeCycles?: number;
  credits?: PlanCredits;
  /** slug → price, or [trigger, price] */
  features?: Record<string, Price | [ChargeTrigger, Price]>;
  groups?: Record<string, Price>;
}

/** A plan of the catalogue with one pricing; monthly, in usd, unless said. */
export function planOffer(slug: string, words: PlanWords = {}): Offer {
  const entries = Object.entries(words.features ?? {});
  const features = entries.map(([one, entry]): OfferedFeature => {
    const chargeTrigger = Array.isArray(entry) ? entry[0] : 'every_cycle';
    return { id: `Feat_${slug}_${one}`, slug: one, name: one, chargeTrigger, group: null, value: null };
  });
  const cycle = words.cycle ?? 'month';
  const currency = words.currency ?? 'usd';
  const own = words.price;
  return {
    plan: {
      id: `Plan_${slug}`,
      slug,
      internalName: slug,
      externalName: null,
      description: null,
      strategy: words.strategy ?? 'plan',
      freeTrialDays: words.trialDays ?? 0,
      features,
      changeRules: words.changeRules ?? {},
      pauseRules: words.pauseRules ?? {},
    },
    pricing: {
      id: `Pric_${slug}_${cycle}_${currency}`,
      currency,
      cycle,
      freeCycles: words.freeCycles ?? 0,
      price: own === undefined || own === null ? null : typeof own === 'string' ? price(own) : own,
      features: Object.fromEntries(entries.map(([one, entry]) => [one, Array.isArray(entry) ? entry[1] : entry])),
      groups: words.groups ?? {},
      credits: words.credits ?? null,
    },
  };
}
