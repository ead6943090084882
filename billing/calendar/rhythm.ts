import { type FieldProblem, fail } from '../problem.ts';
import { type Cycle, isPeriodic, type PeriodicCycle } from './cycle.ts';
import { DAY, type Instant } from './instant.ts';
import { naturalIndex, naturalStart } from './natural.ts';
import { type Pause, pausesSince, runningTime } from './pauses.ts';
import { FULL, type Ratio } from './ratio.ts';
import { countAt, counted, naturalLength, type Stretch, type Stretches, stretchesOf } from './stretch.ts';

/**
 * All that a contract's boundaries depend on. `start` = activation or trial end. `offset` null: the boundaries are
 * anchored at `start`; else they are calendar-aligned, `offset` days after the natural start, and the first period is a
 * stub. `pauses` may be all of the customer's freezes; only those that begin at `start` or later count.
 */
export interface Rhythm {
  start: Instant;
  cycle: Cycle;
  offset: number | null;
  pauses: Pause[];
}

/**
 * A billing period, half-open. `end` is null for `once` and `constant`, and while a freeze without an end makes it
 * unknown.
 */
export interface Period {
  start: Instant;
  end: Instant | null;
}

const MAX_OFFSET: Record<PeriodicCycle, number> = { hour: 0, day: 0, week: 6, month: 30, quarter: 91, year: 365 };

/**
 * What is wrong with a cycle start offset. Null (anchored) is right for every cycle.
 *
 * @param offset days: week 0–6, month 0–30, quarter 0–91, year 0–365; hour and day 0; once and constant none
 */
export function checkOffset(cycle: Cycle, offset: number | null): FieldProblem[] {
  const field = 'cycle_start_offset';
  if (offset === null) return [];
  if (!isPeriodic(cycle)) return [{ field, code: 'offset_not_allowed', message: `leave it out: a ${cycle} contract has no cycles` }];
  const max = MAX_OFFSET[cycle];
  if (Number.isInteger(offset) && offset >= 0 && offset <= max) return [];
  return [{ field, code: 'offset_out_of_range', message: `give whole days from 0 to ${max} for a cycle of one ${cycle}, or leave it out` }];
}

/**
 * The instant at which cycle `n` begins. It is counted from the anchor itself and clamped to the month's end, so that a
 * short month doesn't shorten later ones: 31 January → 28 February → 31 March. A freeze moves the anchor once: the
 * period in which it fell ends later by the frozen time, and all later boundaries are counted from that end.
 *
 * @param n cycles since the start, 0 is the start; negative counts back
 * @returns null while a freeze without an end makes it unknown, and for n > 0 of `once` and `constant`
 * @throws BillingError `no_cycles` for n < 0 of `once` and `constant`
 * @example
 * const monthly = { start: at('2025-01-31'), cycle: 'month', offset: null, pauses: [] };
 * boundary(monthly, 1) // at('2025-02-28')
 * boundary(monthly, 2) // at('2025-03-31')
 * @example
 * const pauses = [{ from: at('2025-07-10'), to: at('2025-08-09') }];
 * const frozen = { start: at('2025-06-14'), cycle: 'month', offset: null, pauses };
 * boundary(frozen, 1) // at('2025-08-13')
 * boundary(frozen, 2) // at('2025-09-13')
 */
export function boundary(rhythm: Rhythm, n: number): Instant | null {
  const { start, cycle } = rhythm;
  if (n === 0) return start;
  if (!isPeriodic(cycle)) return n > 0 ? null : fail('cycle', 'no_cycles', `a ${cycle} contract has one period; ask for n = 0`);
  const stretch = stretchWith(stretches(rhythm, cycle), n);
  return n > stretch.last ? null : counted(stretch, n - stretch.first);
}

function stretches({ start, offset, pauses }: Rhythm, cycle: PeriodicCycle): Stretches {
  return stretchesOf({ start, cycle, offset }, pausesSince(pauses, start));
}

function stretchWith({ ended, last: open }: Stretches, n: number): Stretch {
  return ended.find(({ last }) => n <= last) ?? open;
}

/**
 * The number of the period an instant lies in: the n with boundary(n) <= t < boundary(n + 1). Period 0 begins at the
 * start (for a calendar-aligned contract it is the stub); before the start the number is negative. `once` and
 * `constant`: 0 from the start on, -1 before it.
 *
 * @example indexOf({ start: at('2025-01-31'), cycle: 'month', offset: null, pauses: [] }, at('2025-03-01')) // 1
 */
export function indexOf(rhythm: Rhythm, t: Instant): number {
  const { start, cycle } = rhythm;
  if (!isPeriodic(cycle)) return t >= start ? 0 : -1;
  const { ended, last: open } = stretches(rhythm, cycle);
  const stretch = [...ended, open].findLast((one) => one.start <= t) ?? ended[0] ?? open;
  return Math.min(stretch.first + countAt(stretch, t), stretch.last);
}

/**
 * The length of the whole natural period that period `n` is (a part of), in milliseconds of running time: the
 * denominator of pro-rating. For the stub of a calendar-aligned contract it reaches back to the natural boundary before
 * the start.
 *
 * @throws BillingError `no_cycles` for `once` and `constant`, which are never pro-rated
 * @example wholeLength({ start: at('2012-03-02'), cycle: 'month', offset: 30, pauses: [] }, 0) // 31 * DAY
 */
export function wholeLength(rhythm: Rhythm, n: number): number {
  const { cycle } = rhythm;
  if (!isPeriodic(cycle)) return fail('cycle', 'no_cycles', `a ${cycle} contract has no length to pro-rate over`);
  const stretch = stretchWith(stretches(rhythm, cycle), n);
  return naturalLength(stretch, n - stretch.first);
}

/**
 * The share of the whole natural period of period `n` that [from, to) is, frozen time counted in neither. `once` and
 * `constant`: the whole.
 *
 * @example
 * const aligned = { start: at('2012-03-02'), cycle: 'month', offset: 30, pauses: [] };
 * spanRatio(aligned, 0, at('2012-03-02'), at('2012-03-31')) // { part: 29 * DAY, whole: 31 * DAY }
 */
export function spanRatio(rhythm: Rhythm, n: number, from: Instant, to: Instant): Ratio {
  if (!isPeriodic(rhythm.cycle)) return FULL;
  return { part: runningTime(from, to, pausesSince(rhythm.pauses, rhythm.start)), whole: wholeLength(rhythm, n) };
}

/**
 * Whole days from the natural start to the anchor that boundaries are counted from now, as a contract shows them: the
 * given offset while no freeze has moved it, 0 without cycles.
 *
 * @example shownOffset({ start: at('2025-01-31'), cycle: 'month', offset: null, pauses: [] }) // 30
 */
export function shownOffset(rhythm: Rhythm): number {
  const { cycle } = rhythm;
  if (!isPeriodic(cycle)) return 0;
  const { start, offset } = stretches(rhythm, cycle).last;
  if (offset !== null) return offset;
  return Math.floor((start - naturalStart(cycle, naturalIndex(cycle, start))) / DAY);
}

/**
 * The rhythm of a `month`, `quarter` or `year` charge: anchored at the contract's start, whatever the contract's own
 * cycle.
 *
 * @example boundary(customRhythm(at('2025-01-31'), 'quarter', []), 1) // at('2025-04-30')
 */
export function customRhythm(start: Instant, cycle: 'month' | 'quarter' | 'year', pauses: Pause[]): Rhythm {
  return { start, cycle, offset: null, pauses };
}
