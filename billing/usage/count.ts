import { type Decimal, dec, larger, text } from '../money/decimal.ts';
import type { UsageTotal } from './types.ts';

/** How far a feature's counter has come in a billing period. */
export interface Counter {
  /** where the part begins that is summed: units before it stay, whatever a marker says */
  base: Decimal;
  /** units of the billing period so far */
  count: Decimal;
  /** number of events that count since `base` */
  events: number;
}

/**
 * Goes on counting with the events of the next part of a billing period. A marker of m means m for the whole billing period, but nothing before
 * `base` is given back: u = max(base, m) + what follows it.
 *
 * @param total undefined: nothing was reported in it
 * @example
 * const before = { base: ZERO, count: dec(1000), events: 3 };
 * goOn(before, { units: '500', marker: null, events: 2 }).count // '1500'
 * @example
 * const before = { base: dec(1000), count: dec(1000), events: 0 };
 * goOn(before, { units: '40', marker: '30', events: 2 }).count // '1010'
 */
export function goOn(counter: Counter, total: Pick<UsageTotal, 'units' | 'marker' | 'events'> | undefined): Counter {
  if (total === undefined) return counter;
  const { base, count, events } = counter;
  const units = dec(total.units);
  if (total.marker === null) return { base, count: count.plus(units), events: events + total.events };
  return { base, count: larger(base, dec(total.marker)).plus(units.minus(total.marker)), events: total.events };
}

/**
 * Units of parts that are one sum, counted again from where the sum began.
 *
 * @param base units of the billing period before them
 * @param totals of the parts, oldest first
 * @example
 * const totals = [{ units: '100', marker: null, events: 1 }, { units: '1040', marker: '1030', events: 2 }];
 * unitsSince('1000', totals) // '40'
 */
export function unitsSince(base: string, totals: readonly Pick<UsageTotal, 'units' | 'marker' | 'events'>[]): string {
  const start: Counter = { base: dec(base), count: dec(base), events: 0 };
  const { count } = totals.reduce<Counter>((counter, total) => goOn(counter, total), start);
  return text(count.minus(start.base));
}
