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
 * How many more units of each feature can be used before open usage takes a given amount of prepaid credits, however
 * much of the other features is used: the amount is divided equally among the prices. It relies on two bounds. What
 * grants pay rises by at most as much as the parts that they pay. And usage dated after the last division of a line
 * raises only the parts from there on, each by at most what its units add to the price of all units up to the end of
 * that part. (With tiers the same units may add more to an earlier part than to a later one.)
 *
 * @param left the usage must take less than this amount
 * @param since no new usage is dated before this instant
 * @returns no entry for a price whose amount can fall with more units, or of whose usage a part was charged early
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

/** By how much the parts of a line rise with a number of further units; null: they may also fall. */
function riseOf(line: UsageLine, counted: readonly UnitsUntil[], since: Instant): ((more: Decimal) => Decimal) | null {
  const { billed, price, units } = line.derivation;
  if (billed !== undefined || fallsAfter(price.price).length > 0) return null;
  const counts = [...counted.filter(({ at }) => at > since).map((one) => one.units), units];
  const before = sum(counts.map((count) => leftFor(line, count)));
  return (more) => sum(counts.map((count) => leftFor(line, text(dec(count).plus(more))))).minus(before);
}
