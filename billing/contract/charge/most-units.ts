import { type Decimal, dec, smaller, text } from '../../money/decimal.ts';
import type { UsagePeriod, UsageTotal } from '../../usage/types.ts';

/** How many more units of a feature can come in a period. */
export interface UsageRoom {
  contractId: string;
  idx: number;
  slug: string;
  /** as decimal text; null: any number, since the period charges nothing for them */
  units: string | null;
}

/**
 * Of how many periods that have ended, and that only a caller closes, room is known: they may be thousands, and late
 * usage is mostly of the latest. Usage of one before them is priced as it comes.
 */
export const MOST_LEFT_WITH_ROOM = 3;

const LEAST = dec('0.001');
/**
 * More units than an event can name (26 digits before the point): if this many fit, any number fits. A smaller count
 * would not do: at 0.000000000001 a unit, 10^15 units cost only 1000.00.
 */
export const ANY_USAGE: Decimal = dec('1e27');
/**
 * The search multiplies by this factor, then narrows down to a tenth. A result that is too small is harmless: usage is
 * then priced a little earlier.
 */
const STEP = 4;
const NEARLY = '1.1';

/**
 * Nearly the most units that fit: at most a tenth fewer, and none where less than 0.001 fit.
 *
 * @param fits whether that many more units fit; if a number fits, every smaller one must fit too
 * @returns null: any number of units fits
 * @example Number(mostUnits((more) => more.lt(100))) > 90 // true
 * @example mostUnits((more) => more.times('0.000000000001').lt('2000')) === null // false
 */
export function mostUnits(fits: (more: Decimal) => boolean): string | null {
  if (fits(ANY_USAGE)) return null;
  let [most, above] = [dec('0'), LEAST];
  while (fits(above)) [most, above] = [above, above.times(STEP)];
  while (most.gt(0) && above.gt(most.times(NEARLY))) {
    const middle = most.plus(above).div(2);
    if (fits(middle)) most = middle;
    else above = middle;
  }
  return text(most);
}

/**
 * The fewer of two numbers of units; null: any number.
 *
 * @example [fewerUnits('9', '10'), fewerUnits(null, '10'), fewerUnits(null, null)] // ['9', '10', null]
 */
export function fewerUnits(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return text(smaller(dec(one), dec(other)));
}

/** Totals of usage with more units of one feature. */
export function withMore(
  usage: readonly UsageTotal[],
  { contractId, idx }: Pick<UsagePeriod, 'contractId' | 'idx'>,
  slug: string,
  more: Decimal,
): UsageTotal[] {
  const isOwn = (total: UsageTotal): boolean => total.contractId === contractId && total.periodIdx === idx && total.slug === slug;
  const none = { units: '0', events: 0, marker: null, unitsUntilNow: '0', eventsUntilNow: 0, markerUntilNow: null };
  const total = usage.find(isOwn) ?? { contractId, periodIdx: idx, slug, ...none };
  return [...usage.filter((one) => !isOwn(one)), { ...total, units: text(dec(total.units).plus(more)), events: total.events + 1 }];
}
