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

const LEAST = dec('0.001');
/**
 * More than an event can name (26 digits before the point): what fits with so many fits with any number. A smaller
 * count would not do: at 0.000000000001 a unit, 10^15 units cost only 1000.00.
 */
export const ANY_USAGE: Decimal = dec('1e27');
/** Units are found by steps of this factor, and then to a tenth: finding less only has usage looked at earlier. */
const STEP = 4;
const NEARLY = '1.1';

/**
 * Nearly the most units that fit.
 *
 * @param fits whether so many more do; fewer than those that fit do, too
 * @returns null: any number does
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
