import { type Decimal, dec, larger, text } from '../money/decimal.ts';
import type { UsageTotal } from './types.ts';

/** What a feature has counted in a billing period so far. */
export interface Counter {
  /** the count at which the summed part begins; a marker never lowers it */
  base: Decimal;
  /** units of the billing period so far */
  count: Decimal;
  /** number of events that count since `base` */
  events: number;
}

/**
 * Counts on with the events of the next part of a billing period. A marker of m sets the count of the whole billing
 * period to m, but never below `base`: the count is max(base, m) plus what follows the marker.
 *
 * @param total undefined: nothing was reported in it
 * @example
 * const before = { base: ZERO, count: dec(1000), events: 3 };
 * addTotal(before, { units: '500', marker: null, events: 2 }).count // '1500'
 * @example
 * const before = { base: dec(1000), count: dec(1000), events: 0 };
 * addTotal(before, { units: '40', marker: '30', events: 2 }).count // '1010'
 */
export function addTotal(counter: Counter, total: Pick<UsageTotal, 'units' | 'marker' | 'events'> | undefined): Counter {
  if (total === undefined) return counter;
  const { base, count, events } = counter;
  const units = dec(total.units);
  if (total.marker === null) return { base, count: count.plus(units), events: events + total.events };
  return { base, count: larger(base, dec(total.marker)).plus(units.minus(total.marker)), events: total.events };
}

/**
 * The units of parts that are summed as one, counted again from where the sum began.
 *
 * @param base units of the billing period before them
 * @param totals of the parts, oldest first
 * @example
 * const totals = [{ units: '100', marker: null, events: 1 }, { units: '1040', marker: '1030', events: 2 }];
 * unitsSince('1000', totals) // '40'
 */
export function unitsSince(base: string, totals: readonly Pick<UsageTotal, 'units' | 'marker' | 'events'>[]): string {
  const start: Counter = { base: dec(base), count: dec(base), events: 0 };
  const { count } = totals.reduce<Counter>((counter, total) => addTotal(counter, total), start);
  return text(count.minus(start.base));
}
