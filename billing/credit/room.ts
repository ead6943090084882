import type { Instant } from '../calendar/instant.ts';
import { ANY_USAGE, mostUnits, type UsageRoom } from '../contract/charge/most-units.ts';
import { type Decimal, dec, sum, text } from '../money/decimal.ts';
import { fallsAfter } from '../pricing/falls.ts';
import { leftFor, type UnitsUntil, type UsageLine } from './parts.ts';

/** A line of open usage, as it would be if its period were closed now. */
export interface OpenLine extends Omit<UsageRoom, 'units'> {
  line: UsageLine;
  /** the units at each instant at which the line is divided */
  counted: readonly UnitsUntil[];
}

/**
 * How many more units of each feature can be used before open usage takes another amount of prepaid credits, whatever
 * is used of the others: each price gets the same share of it. What grants pay rises by no more than the parts that
 * they pay rise. Usage that is dated after a line was divided the last time raises the parts from there on alone, and
 * each by no more than its units would add to the price of all up to its end: tiers may have it that the same units add
 * more to an earlier part, whatever they then take off a later one.
 *
 * @param left less than this may be taken
 * @param since usage is dated then or later
 * @returns nothing for a price that units don't only raise: where more units price those before again, and where a part
 *   of its usage was charged early
 * @example
 * const span = { start: at('2025-06-01'), end: at('2025-07-01') };
 * const [line] = chargeLines([charge(usage('1'), { units: '20', kind: 'usage', span })], context());
 * const open = { contractId: 'Cont_1', idx: 1, slug: 'calls', line: { ...line, span }, counted: [] };
 * roomInCredits([open], '100.00', at('2025-06-05')).map(({ units }) => Number(units) > 90 && Number(units) < 100) // [true]
 */
export function roomInCredits(lines: readonly OpenLine[], left: string, since: Instant): UsageRoom[] {
  const rising = lines.map(({ line, counted, ...of }) => ({ of, rise: riseOf(line, counted, since) }));
  const share = dec(left).div(Math.max(1, rising.filter(({ rise }) => rise === null || !rise(ANY_USAGE).isZero()).length));
  return rising.flatMap(({ of, rise }) => (rise === null ? [] : [{ ...of, units: mostUnits((more) => rise(more).lt(share)) }]));
}

/** What a line's parts come to more with so many more units; null: they may also come to less. */
function riseOf(line: UsageLine, counted: readonly UnitsUntil[], since: Instant): ((more: Decimal) => Decimal) | null {
  const { billed, price, units } = line.derivation;
  if (billed !== undefined || fallsAfter(price.price).length > 0) return null;
  const counts = [...counted.filter(({ at }) => at > since).map((one) => one.units), units];
  const before = sum(counts.map((count) => leftFor(line, count)));
  return (more) => sum(counts.map((count) => leftFor(line, text(dec(count).plus(more))))).minus(before);
}
