import { planName } from '../../billing/contract/period/sources.ts';
import type { Terms } from '../../billing/contract/types.ts';
import { dec, plain, text } from '../../billing/money/decimal.ts';
import { type ChargeTrigger, isUnits, type Price } from '../../billing/pricing/price.ts';
import { chargedUnits } from '../../billing/pricing/quantity.ts';

/** Units that a customer can choose, with their limits. */
export interface UnitChoice {
  /** the feature's slug, the group's name, the plan's slug */
  key: string;
  /** of the feature, group or plan */
  name: string;
  unitName: string;
  /** as charged: rounded up to whole batches */
  units: string;
  minimum: string;
  maximum: string | null;
  batchSize: number | null;
}

/**
 * Triggers of features whose units aren't chosen: bought on demand, or charged once, so that another number would
 * change nothing.
 */
const NOT_CHOSEN: Record<'signed' | 'offered', readonly ChargeTrigger[]> = {
  signed: ['on_demand', 'first_cycle'],
  offered: ['on_demand'],
};

/**
 * The units of some terms that can be chosen, in the order of an invoice's lines.
 *
 * @param side `signed`: terms of a contract; `offered`: terms that it may change to
 */
export function unitChoices(terms: Terms, side: 'signed' | 'offered'): UnitChoice[] {
  const features = terms.features.filter(({ chargeTrigger }) => !NOT_CHOSEN[side].includes(chargeTrigger));
  return [
    ...choiceOf(planKey(terms), planName(terms), terms.price),
    ...terms.groups.flatMap(({ name, price }) => choiceOf(name, name, price)),
    ...features.flatMap(({ slug, name, price }) => choiceOf(slug, name, price)),
  ];
}

/** A feature or group may have the plan's slug as its name: then the plan's own price is named `plan`. */
function planKey({ slug, features, groups }: Terms): string {
  const isTaken = features.some((feature) => feature.slug === slug) || groups.some(({ name }) => name === slug);
  return isTaken ? 'plan' : slug;
}

function choiceOf(key: string, name: string, price: Price | null): UnitChoice[] {
  const strategy = price?.strategy;
  if (strategy === undefined || !isUnits(strategy)) return [];
  const { unitName, unitCount, minimumUnits, maximumUnits, batchSize } = strategy;
  const inBatches = (units: string): string => plain(chargedUnits(strategy, units));
  return [
    {
      key,
      name,
      unitName,
      units: inBatches(unitCount),
      minimum: inBatches(minimumUnits),
      maximum: maximumUnits === null ? null : wholeBatches(maximumUnits, batchSize),
      batchSize,
    },
  ];
}

/** The largest number of units that is a whole number of batches and within the limit. */
function wholeBatches(limit: string, batchSize: number | null): string {
  return batchSize === null ? plain(limit) : text(dec(limit).divToInt(batchSize).times(batchSize));
}
