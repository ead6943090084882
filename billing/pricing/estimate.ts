import { type Cycle, isPeriodic } from '../calendar/cycle.ts';
import type { Currency } from '../money/currency.ts';
import { type Decimal, sum, ZERO } from '../money/decimal.ts';
import { moneyText, roundMoney } from '../money/round.ts';
import { fullAmount } from './amount.ts';
import { type ChargeTrigger, isUsagePriced, type Price } from './strategy.ts';

/** When invoices of a contract are due: at the start or at the end of the billing period. */
export type DueDatePolicy = 'start_of_period' | 'end_of_period';

/** A price with the trigger that charges it and the contract's units (usage prices are estimated at their minimum). */
export interface PricedItem {
  trigger: ChargeTrigger;
  price: Price;
  units: string;
}

/** What an estimate depends on besides the prices. */
export interface EstimateTerms {
  cycle: Cycle;
  dueDatePolicy: DueDatePolicy;
  currency: Currency;
}

/** Amounts in the currency's digits; `extraCycleEndCharges` = due at the period's end except usage. */
export interface Estimate {
  cycleStartCharges: string;
  minimumUsage: string;
  extraCycleEndCharges: string;
}

/** Estimates of the charges, by how often they are made. */
export interface CustomCycleCharges {
  periodicDaily: Estimate;
  periodicWeekly: Estimate;
  periodicMonthly: Estimate;
  periodicQuarterly: Estimate;
  periodicYearly: Estimate;
}

/** What a contract is expected to cost, before discount and free cycles. */
export interface PriceEstimate {
  recurringPrice: Estimate;
  oneTimePrice: Estimate;
  onDemandPrice: Estimate;
  customCycleCharges: CustomCycleCharges;
}

/** `period` charges follow the due date policy; `when_made` ones are due at once. */
type Due = 'period' | 'when_made';

/**
 * The price estimate of a contract: one full charge of each price, rounded as its own line, by how often it is charged.
 * `once` and `constant` have no recurring price: their `every_cycle` prices are paid one time.
 *
 * @example
 * const items = [{ trigger: 'every_cycle', price: price('100'), units: '1' }];
 * const terms = { cycle: 'month', dueDatePolicy: 'start_of_period', currency: 'usd' };
 * priceEstimate(items, terms).recurringPrice.cycleStartCharges // '100.00'
 */
export function priceEstimate(items: readonly PricedItem[], terms: EstimateTerms): PriceEstimate {
  const of = (trigger: ChargeTrigger): PricedItem[] => items.filter((item) => item.trigger === trigger);
  const periodic = isPeriodic(terms.cycle);
  const period: Due = periodic ? 'period' : 'when_made';
  const none = estimateOf([], terms, period);
  return {
    recurringPrice: periodic ? mainPrice(items, terms) : none,
    oneTimePrice: periodic ? estimateOf(of('first_cycle'), terms, period) : mainPrice(items, terms),
    onDemandPrice: estimateOf(of('on_demand'), terms, 'when_made'),
    customCycleCharges: {
      periodicDaily: none,
      periodicWeekly: { ...none },
      periodicMonthly: estimateOf(of('month'), terms, period),
      periodicQuarterly: estimateOf(of('quarter'), terms, period),
      periodicYearly: estimateOf(of('year'), terms, period),
    },
  };
}

/**
 * The part of a price estimate by which contracts are compared: the recurring price, or for `once` and `constant` the
 * one-time price.
 */
function mainPrice(items: readonly PricedItem[], terms: EstimateTerms): Estimate {
  return estimateOf(mainItems(items, terms.cycle), terms, isPeriodic(terms.cycle) ? 'period' : 'when_made');
}

/**
 * What a contract costs in one number: the parts of its main price added.
 *
 * @example
 * const items = [
 *   { trigger: 'every_cycle', price: price('100'), units: '1' },
 *   { trigger: 'every_cycle', price: usage('0.5', { minimum: '10' }), units: '0' },
 * ];
 * estimatedAmount(items, { cycle: 'month', dueDatePolicy: 'start_of_period', currency: 'usd' }) // '105.00'
 */
export function estimatedAmount(items: readonly PricedItem[], { cycle, currency }: Pick<EstimateTerms, 'cycle' | 'currency'>): string {
  const { charges, usage } = totalsOf(mainItems(items, cycle), currency);
  return moneyText(charges.plus(usage), currency);
}

/**
 * The same without the minimum usage.
 *
 * @example
 * const items = [
 *   { trigger: 'every_cycle', price: price('100'), units: '1' },
 *   { trigger: 'every_cycle', price: usage('0.5', { minimum: '10' }), units: '0' },
 * ];
 * estimatedCharges(items, { cycle: 'month', currency: 'usd' }) // '100.00'
 */
export function estimatedCharges(items: readonly PricedItem[], { cycle, currency }: Pick<EstimateTerms, 'cycle' | 'currency'>): string {
  const charged = mainItems(items, cycle).filter(({ price }) => !isUsagePriced(price));
  return moneyText(total(charged, currency), currency);
}

/** The items of the main price. */
function mainItems(items: readonly PricedItem[], cycle: Cycle): readonly PricedItem[] {
  if (isPeriodic(cycle)) return items.filter(({ trigger }) => trigger === 'every_cycle');
  return (['every_cycle', 'first_cycle'] as const).flatMap((one) => items.filter(({ trigger }) => trigger === one));
}

function totalsOf(items: readonly PricedItem[], currency: Currency): { charges: Decimal; usage: Decimal } {
  return {
    charges: total(
      items.filter((item) => !isUsagePriced(item.price)),
      currency,
    ),
    usage: total(
      items.filter((item) => isUsagePriced(item.price)),
      currency,
    ),
  };
}

function estimateOf(items: readonly PricedItem[], { currency, dueDatePolicy }: EstimateTerms, due: Due): Estimate {
  const { charges, usage } = totalsOf(items, currency);
  const atEnd = due === 'period' && dueDatePolicy === 'end_of_period';
  return {
    cycleStartCharges: moneyText(atEnd ? ZERO : charges, currency),
    minimumUsage: moneyText(usage, currency),
    extraCycleEndCharges: moneyText(atEnd ? charges : ZERO, currency),
  };
}

function total(items: readonly PricedItem[], currency: Currency): Decimal {
  return sum(items.map((item) => roundMoney(fullCharge(item, currency), currency)));
}

function fullCharge({ price, units }: PricedItem, currency: Currency): Decimal {
  return fullAmount(price, isUsagePriced(price) ? '0' : units, currency);
}
