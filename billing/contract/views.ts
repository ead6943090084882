import type { Instant } from '../calendar/instant.ts';
import type { Pause } from '../calendar/pauses.ts';
import { FULL, type Ratio } from '../calendar/ratio.ts';
import { type Period, shownOffset } from '../calendar/rhythm.ts';
import { chargeLines } from '../invoice/charge.ts';
import type { TaxContext } from '../invoice/types.ts';
import { moneyText } from '../money/round.ts';
import { type Priced, priceAmount } from '../pricing/amount.ts';
import { boughtUnits, isUsagePriced, type Price } from '../pricing/price.ts';
import { discountIn } from './charges.ts';
import { begunBy } from './periods.ts';
import { usageSources } from './sources.ts';
import { activationOf, cycleEnd, expirationAt, isLive, periodBounds, trialEndOf, usageShare } from './time.ts';
import type { Contract, UsagePeriod, UsageTotal } from './types.ts';

export { amountOf, costEstimates } from './cost.ts';

/** What a contract shows of its time. Instants lie where past freezes have moved them; one that lasts moves them when it ends. */
export interface ContractTimes {
  activation: Instant | null;
  expiration: Instant | null;
  freeTrialEnd: Instant | null;
  /** end of the current cycle (in a trial: of the trial) while active */
  nextCycleStart: Instant | null;
  currentPeriod: Period | null;
  currentPeriodIdx: number | null;
  cycleStartOffset: number;
}

/**
 * The times of a contract as the interface shows them.
 *
 * @example in a trial: { currentPeriod: null, currentPeriodIdx: null, nextCycleStart: the trial's end, … }
 */
export function timesOf(contract: Contract, frozen: Pause[]): ContractTimes {
  const pauses = frozen.filter(({ to }) => to !== null);
  const { currentIdx, start, offset, terms } = contract;
  const begun = start !== null && currentIdx !== null;
  const anchor = start ?? trialEndOf(contract, pauses) ?? contract.activation ?? contract.created;
  return {
    activation: isLive(contract) && contract.began === null ? (activationOf(contract, pauses) ?? contract.activation) : contract.activation,
    expiration: expirationAt(contract, pauses) ?? contract.expiration?.at ?? null,
    freeTrialEnd: trialEndOf(contract, pauses) ?? contract.trialEnd,
    nextCycleStart: contract.status === 'active' ? cycleEnd(contract, pauses) : null,
    currentPeriod: begun ? periodBounds(contract, currentIdx, pauses) : null,
    currentPeriodIdx: begun ? currentIdx : null,
    cycleStartOffset: shownOffset({ start: anchor, cycle: terms.cycle, offset, pauses }),
  };
}

/** What a usage feature comes to in one period. */
export interface FeatureUsage {
  slug: string;
  name: string;
  unitName: string | null;
  unitsUsed: string;
  unitsCharged: string;
  overUsageUnitCharged: string;
  /** as the line's subtotal would be, in the currency's digits; nothing in a trial */
  amount: string;
  events: number;
}

/**
 * The usage of a period, priced as it would be if it closed with what is reported so far. A free trial costs nothing, nor does what was reported in
 * it for a time it never came to.
 *
 * @example 300 calls in packs of 100 at 0.0295: { unitsUsed: '300', unitsCharged: '300', amount: '8.85', … }
 */
export function usageOf(
  contract: Contract,
  period: UsagePeriod,
  totals: readonly UsageTotal[],
  tax: TaxContext,
  pauses: Pause[],
): FeatureUsage[] {
  const isFree = period.idx === 0 || (contract.start === null && !isLive(contract));
  const begun = begunBy(contract, pauses, Number.POSITIVE_INFINITY);
  const ratio = isFree ? FULL : usageShare(begun, period.idx, period.from, period.until, pauses);
  return usageSources(contract.terms).map(({ slug, name, price, source }) => {
    const total = totals.find((one) => one.contractId === contract.id && one.periodIdx === period.idx && one.slug === slug);
    const units = total?.units ?? '0';
    const priced = priceAmount(price, units, ratio, contract.terms.currency);
    return {
      slug: slug ?? source,
      name,
      unitName: price.strategy.kind === 'flat' ? null : price.strategy.unitName,
      unitsUsed: units,
      unitsCharged: priced.unitsCharged,
      overUsageUnitCharged: priced.overUsageUnitCharged ?? '0',
      amount: isFree ? moneyText('0', contract.terms.currency) : subtotalOf(contract, price, units, ratio, tax),
      events: total?.events ?? 0,
    };
  });
}

function subtotalOf(contract: Contract, price: Price, units: string, ratio: Ratio, tax: TaxContext): string {
  return estimateLine(contract, price, units, ratio, tax, false).subtotal;
}

/**
 * How the units of a price are charged, for the strategy details: bought ones as they are, used ones as reported.
 *
 * @param used units reported in the running period; a bought price doesn't look at them
 * @example calls with at most 1000 at the price: chargedUnitsOf(contract, price, '1200') // { unitsCharged: '1000', overUsageUnitCharged: '200' }
 */
export function chargedUnitsOf(contract: Contract, price: Price, used: string): Pick<Priced, 'unitsCharged' | 'overUsageUnitCharged'> {
  const units = isUsagePriced(price) ? used : boughtUnits(price);
  const { unitsCharged, overUsageUnitCharged } = priceAmount(price, units, FULL, contract.terms.currency);
  return { unitsCharged, overUsageUnitCharged };
}

/**
 * One full charge of a price with the contract's units: `subtotal` before, `total` after discount and tax. A flat discount counts as if the
 * price stood alone.
 *
 * @example 100 a month with 10 % off and 19 % tax included: { subtotal: '100.00', total: '90.00' }
 */
export function totalChargeEstimate(
  contract: Contract,
  price: Price,
  tax: TaxContext,
  recurring: boolean,
): { subtotal: string; total: string } {
  const { subtotal, totalIncludingTax } = estimateLine(contract, price, boughtUnits(price), FULL, tax, recurring && !isUsagePriced(price));
  return { subtotal, total: totalIncludingTax };
}

function estimateLine(contract: Contract, price: Price, units: string, ratio: Ratio, tax: TaxContext, discountable: boolean) {
  const [line] = chargeLines(
    [
      {
        contractId: contract.id,
        chargeKey: 'estimate',
        kind: discountable ? 'recurring' : 'usage',
        source: 'estimate',
        name: 'estimate',
        price,
        units,
        ratio,
        span: null,
        dueDate: contract.created,
        schedulingPolicy: 'immediate',
        periodIdx: null,
        discountable,
        free: false,
      },
    ],
    {
      currency: contract.terms.currency,
      tax,
      discount: discountIn(contract, contract.currentIdx ?? 1),
      mint: (prefix) => `${prefix}_estimate`,
    },
  );
  if (!line) throw new Error('one charge makes one line');
  return line;
}
