import type { Pause } from '../../calendar/pauses.ts';
import { FULL } from '../../calendar/ratio.ts';
import { moneyText } from '../../money/round.ts';
import { priceAmount } from '../../pricing/amount.ts';
import { owedOf } from '../../pricing/owed.ts';
import type { EarlierPart } from '../../usage/types.ts';
import { freedomIn } from '../period/cycles-left.ts';
import { begunBy } from '../period/periods.ts';
import { type Source, usageSources } from '../period/sources.ts';
import { isLive } from '../period/time.ts';
import { countedPart } from './counted-part.ts';

/** Units and amount of a usage feature in one period. */
export interface FeatureUsage {
  slug: string;
  name: string;
  unitName: string | null;
  /** of the billing period, those counted in it before a change included */
  unitsUsed: string;
  unitsCharged: string;
  overUsageUnitCharged: string;
  /** as the line's subtotal would be, in the currency's digits; nothing in a trial */
  amount: string;
  events: number;
}

/**
 * The usage of a period, priced as it would be if it closed with what is reported so far. A free trial costs nothing,
 * nor does what was reported in it for a time that the contract never reached. What goes on in the contract that
 * follows is shown there.
 *
 * @param earlier the parts of its billing period before a change, oldest first
 * @example
 * const story = signs('2025-06-01', plan('pro', { features: { calls: usage('0.0295', { batch: 100 }) } }));
 * story.uses('2025-06-10', 'calls', '300');
 * const { contract, periods, usage: totals } = workOn(story, '2025-06-16').snapshot;
 * usageOf({ contract, period: periods[0], usage: totals }, [], [])[0].amount // '8.85'
 */
export function usageOf(part: EarlierPart, earlier: readonly EarlierPart[], pauses: Pause[]): FeatureUsage[] {
  return shownSources(part).map((source) => usageOfSource(part, earlier, source, pauses));
}

/** The usage prices that a period shows: what goes on in the contract that follows is shown there. */
export const shownSources = ({ contract, period }: EarlierPart): Source[] =>
  usageSources(contract.terms).filter(({ source }) => !period.goesOn.includes(source));

/** The usage of one of them, in the same way. */
export function usageOfSource(part: EarlierPart, earlier: readonly EarlierPart[], source: Source, pauses: Pause[]): FeatureUsage {
  const { contract, period } = part;
  const { currency } = contract.terms;
  const { slug, name, price } = source;
  const isTrial = period.idx === 0 || (contract.start === null && !isLive(contract));
  const begun = isTrial ? contract : begunBy(contract, pauses, Number.POSITIVE_INFINITY);
  const { units, count, events, began, ratio } = countedPart({ ...part, contract: begun }, earlier, source, pauses);
  const freedom = isTrial ? { free: true } : freedomIn(begun, period.idx, source, false);
  const priced = priceAmount(price, units, isTrial ? FULL : ratio, currency, began);
  return {
    slug: slug ?? source.source,
    name,
    unitName: price.strategy.kind === 'flat' ? null : price.strategy.unitName,
    unitsUsed: count,
    unitsCharged: priced.unitsCharged,
    overUsageUnitCharged: priced.overUsageUnitCharged ?? '0',
    amount: moneyText(owedOf(priced.exact, freedom), currency),
    events,
  };
}
