import { perYear } from '../../calendar/cycle.ts';
import { share } from '../../calendar/ratio.ts';
import { type Decimal, dec } from '../../money/decimal.ts';
import {
  type EstimateTerms,
  estimatedAmount,
  estimatedCharges,
  type PricedItem,
  type PriceEstimate,
  priceEstimate,
} from '../../pricing/estimate.ts';
import { boughtUnits } from '../../pricing/price.ts';
import { sourcesOf } from '../period/sources.ts';
import type { Configuration, Terms } from '../types.ts';

/** What an estimate is made from: a contract, or terms that may become one. */
export interface Priceable {
  terms: Terms;
  configuration: Pick<Configuration, 'dueDatePolicy'>;
}

/**
 * The cost estimates of terms, before discount and free cycles.
 *
 * @example
 * const contract = signs('2025-01-01', plan('pro', { price: '100' })).contract();
 * costEstimates(contract).recurringPrice.cycleStartCharges // '100.00'
 */
export function costEstimates(priceable: Priceable): PriceEstimate {
  return priceEstimate(itemsOf(priceable), estimateTerms(priceable));
}

const itemsOf = ({ terms }: Priceable): PricedItem[] =>
  sourcesOf(terms).map(({ trigger, price }) => ({ trigger, price, units: boughtUnits(price) }));

const estimateTerms = ({ terms: { cycle, currency }, configuration: { dueDatePolicy } }: Priceable): EstimateTerms => ({
  cycle,
  dueDatePolicy,
  currency,
});

/**
 * The estimated price of a cycle: the three parts of `recurringPrice`, or of `oneTimePrice` for `once` and `constant`.
 *
 * @example
 * const offer = plan('pro', { price: '29', features: { seats: seats('10', '5') } });
 * amountOf(signs('2025-01-01', offer).contract()) // '79.00'
 */
export function amountOf(priceable: Priceable): string {
  return estimatedAmount(itemsOf(priceable), priceable.terms);
}

/**
 * `amount` without the minimum usage: `full_cost` of an upgrade breakdown, the recurring price of a whole period.
 *
 * @example
 * const features = { seats: seats('10', '5'), calls: usage('1', { minimum: '7' }) };
 * const contract = signs('2025-01-01', plan('pro', { price: '29', features })).contract();
 * amountOf(contract) // '86.00'
 * fullCostOf(contract) // '79.00'
 */
export function fullCostOf(priceable: Priceable): string {
  return estimatedCharges(itemsOf(priceable), priceable.terms);
}

/** The exact `amount` of a year, by which contracts of different cycles are compared. */
function yearly(priceable: Priceable): Decimal {
  const { part, whole } = perYear(priceable.terms.cycle);
  return share(dec(amountOf(priceable)).times(part), { part: 1, whole });
}

/** Whether new terms are strictly cheaper than old ones, per year. In another currency they are never cheaper. */
export function isCheaper(old: Priceable, next: Priceable): boolean {
  return old.terms.currency === next.terms.currency && yearly(next).lt(yearly(old));
}
