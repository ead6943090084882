import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { FULL } from '../../calendar/ratio.ts';
import { type Period, shownOffset } from '../../calendar/rhythm.ts';
import { chargeLines } from '../../invoice/charge.ts';
import type { TaxContext } from '../../invoice/types.ts';
import { type Priced, priceAmount } from '../../pricing/amount.ts';
import { boughtUnits, isUsagePriced, type Price } from '../../pricing/price.ts';
import { discountIn } from '../period/cycles-left.ts';
import { activationOf, cycleEnd, expirationAt, isLive, periodBounds, trialEndOf } from '../period/time.ts';
import type { Contract } from '../types.ts';

export { amountOf, costEstimates } from './cost.ts';

/** The times that a contract shows. Past freezes have moved them; a freeze that lasts moves them when it ends. */
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
 * The times of a contract as the API shows them.
 *
 * @example
 * const contract = signs('2025-01-01', plan('pro', { trialDays: 14 })).contract();
 * timesOf(contract, []).nextCycleStart // at('2025-01-15')
 */
export function timesOf(contract: Contract, frozen: Pause[]): ContractTimes {
  const { currentIdx, start, offset, terms, ended } = contract;
  // a freeze that begins after the contract has ended moves none of its times
  const pauses = frozen.filter(({ from, to }) => to !== null && (ended === null || from < ended));
  const begun = currentIdx !== null;
  const anchor = start ?? trialEndOf(contract, pauses) ?? contract.activation ?? contract.created;
  return {
    activation: isLive(contract) && contract.began === null ? (activationOf(contract, pauses) ?? contract.activation) : contract.activation,
    expiration: expirationAt(contract, pauses) ?? contract.expiration?.at ?? null,
    freeTrialEnd: trialEndOf(contract, pauses) ?? contract.trialEnd,
    nextCycleStart: contract.status === 'active' ? cycleEnd(contract, pauses) : null,
    currentPeriod: begun ? periodBounds(contract, currentIdx, pauses) : null,
    currentPeriodIdx: begun ? currentIdx : null,
    cycleStartOffset: shownOffset({ start: anchor, cycle: terms.cycle, offset, pauses: start === null ? [] : pauses }),
  };
}

/**
 * How the units of a price are charged, for the strategy details: bought ones as they are, used ones as reported.
 *
 * @param used units reported in the running period; a price for bought units ignores them
 * @example
 * const contract = signs('2025-01-01', plan('pro')).contract();
 * const calls = usage('1', { maximum: '1000' });
 * chargedUnitsOf(contract, calls, '1200') // { unitsCharged: '1000', overUsageUnitCharged: '200' }
 */
export function chargedUnitsOf(contract: Contract, price: Price, used: string): Pick<Priced, 'unitsCharged' | 'overUsageUnitCharged'> {
  const units = isUsagePriced(price) ? used : boughtUnits(price);
  const { unitsCharged, overUsageUnitCharged } = priceAmount(price, units, FULL, contract.terms.currency);
  return { unitsCharged, overUsageUnitCharged };
}

/**
 * One full charge of a price with the contract's units: `subtotal` before, `total` after discount and tax. A flat
 * discount counts as if the contract had no other price.
 *
 * @example
 * const contract = { ...signs('2025-01-01', plan('pro')).contract(), discount: discountOf('percentage', '10') };
 * const tax = taxAt('0.19', 'tax_included');
 * totalChargeEstimate(contract, price('100'), tax, { recurring: true, pauses: [] }) // { subtotal: '100.00', total: '90.00' }
 */
export function totalChargeEstimate(
  contract: Contract,
  price: Price,
  tax: TaxContext,
  { recurring, pauses }: { recurring: boolean; pauses: Pause[] },
): { subtotal: string; total: string } {
  const context = { tax, discount: discountIn(contract, contract.currentIdx ?? 1, pauses) };
  const { subtotal, totalIncludingTax } = estimateLine(contract, price, context, recurring && !isUsagePriced(price));
  return { subtotal, total: totalIncludingTax };
}

type Context = Pick<Parameters<typeof chargeLines>[1], 'tax' | 'discount'>;

function estimateLine(contract: Contract, price: Price, context: Context, discountable: boolean) {
  const [line] = chargeLines(
    [
      {
        contractId: contract.id,
        chargeKey: 'estimate',
        kind: discountable ? 'recurring' : 'usage',
        source: 'estimate',
        name: 'estimate',
        price,
        units: boughtUnits(price),
        ratio: FULL,
        span: null,
        dueDate: contract.created,
        schedulingPolicy: 'immediate',
        periodIdx: null,
        discountable,
        free: false,
      },
    ],
    { currency: contract.terms.currency, ...context, newId: (prefix) => `${prefix}_estimate` },
  );
  if (!line) throw new Error('one charge makes one line');
  return line;
}
