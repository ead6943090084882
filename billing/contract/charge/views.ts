import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { FULL } from '../../calendar/ratio.ts';
import { type Period, shownOffset } from '../../calendar/rhythm.ts';
import { type Priced, priceAmount } from '../../pricing/amount.ts';
import { boughtUnits, isUsagePriced, type Price } from '../../pricing/price.ts';
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
