import type { PeriodicCycle } from './cycle.ts';
import type { Instant } from './instant.ts';
import { addCycles, alignedBoundary, naturalIndex } from './natural.ts';
import { type Pause, shift } from './pauses.ts';

/** What boundaries are counted from: an anchor, and the offset where they are aligned to the calendar. */
export interface Counting {
  start: Instant;
  cycle: PeriodicCycle;
  offset: number | null;
}

/** Periods counted from one anchor: `first` to `last`. */
export interface Stretch extends Counting {
  first: number;
  last: number;
}

/** The stretches of a rhythm in their order: those that a freeze has ended, and the last one. */
export interface Stretches {
  ended: Stretch[];
  last: Stretch;
}

/**
 * The stretches of a rhythm: the period in which a freeze falls ends later by the frozen time, and that end is the
 * anchor of the next stretch. A freeze that begins at a boundary falls in the period that begins there. While one
 * lasts, the period it fell into is the last that is known.
 *
 * @param pauses those since the start, sorted and disjoint
 * @example
 * const monthly = { start: at('2025-06-14'), cycle: 'month', offset: null };
 * stretchesOf(monthly, [{ from: at('2025-07-10'), to: at('2025-08-09') }]).last.start // at('2025-08-13')
 */
export function stretchesOf(counting: Counting, pauses: readonly Pause[]): Stretches {
  const ended: Stretch[] = [];
  let [from, first] = [counting, 0];
  let left = pauses.filter(({ from: begin, to }) => to === null || to > begin);
  for (let [pause] = left; pause !== undefined; [pause] = left) {
    const within = countAt(from, pause.from);
    const end = shift(counted(from, within + 1), left);
    const stretch: Stretch = { ...from, first, last: first + within };
    if (end === null) return { ended, last: stretch };
    ended.push(stretch);
    left = left.filter(({ from: begin }) => begin >= end);
    from = { ...from, start: end, offset: null };
    first += within + 1;
  }
  return { ended, last: { ...from, first, last: Number.POSITIVE_INFINITY } };
}

/**
 * Boundary `n` as it would be without freezes, counted from the start itself.
 *
 * @example counted({ start: at('2025-01-31'), cycle: 'month', offset: null }, 1) // at('2025-02-28')
 */
export function counted({ start, cycle, offset }: Counting, n: number): Instant {
  if (n === 0) return start;
  if (offset === null) return addCycles(start, cycle, n);
  // A start between two natural boundaries makes a stub of that period; a start on one is that boundary itself.
  const index = lastAligned(start, cycle, offset);
  const between = n < 0 && alignedBoundary(cycle, index, offset) < start ? 1 : 0;
  return alignedBoundary(cycle, index + n + between, offset);
}

/** The n with counted(n) <= t < counted(n + 1); negative before the start. */
export function countAt(counting: Counting, t: Instant): number {
  const { start, cycle } = counting;
  let n = naturalIndex(cycle, t) - naturalIndex(cycle, start);
  // The estimate is wrong by one at most (a stub, a clamped month end): step to the right one.
  while (counted(counting, n) > t) n -= 1;
  while (counted(counting, n + 1) <= t) n += 1;
  return n;
}

/**
 * The length of the whole natural period that period `n` is (a part of). A stub reaches back to the natural boundary
 * before the start.
 *
 * @example naturalLength({ start: at('2012-03-02'), cycle: 'month', offset: 30 }, 0) // 31 * DAY
 */
export function naturalLength(counting: Counting, n: number): number {
  const { start, cycle, offset } = counting;
  const from = n === 0 && offset !== null ? alignedBoundary(cycle, lastAligned(start, cycle, offset), offset) : counted(counting, n);
  return counted(counting, n + 1) - from;
}

/** Number of the last natural period whose aligned boundary is at or before `t`. */
function lastAligned(t: Instant, cycle: PeriodicCycle, offset: number): number {
  const index = naturalIndex(cycle, t);
  return alignedBoundary(cycle, index, offset) <= t ? index : index - 1;
}
