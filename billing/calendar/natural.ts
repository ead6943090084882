import { civilFromDays, daysFromCivil, daysInMonth } from './civil.ts';
import type { PeriodicCycle } from './cycle.ts';
import { DAY, HOUR, type Instant } from './instant.ts';

// 1970-01-01 was a Thursday: the Monday of week 0 is three days earlier.
const FIRST_MONDAY = -3;
const MONTHS_OF = { month: 1, quarter: 3, year: 12 } as const;

/** An instant plus whole months, clamped to the last day of the month it lands in; the time of day stays. */
function addMonths(t: Instant, months: number): Instant {
  const days = Math.floor(t / DAY);
  const date = civilFromDays(days);
  const index = date.year * 12 + date.month - 1 + months;
  const [year, month] = [Math.floor(index / 12), index - Math.floor(index / 12) * 12 + 1];
  return daysFromCivil(year, month, Math.min(date.day, daysInMonth(year, month))) * DAY + (t - days * DAY);
}

/**
 * An instant plus n cycles, counted from the instant itself: never chained, so a short month doesn't shorten later
 * ones.
 *
 * @example addCycles(at('2025-01-31'), 'month', 2) // at('2025-03-31')
 */
export function addCycles(t: Instant, cycle: PeriodicCycle, n: number): Instant {
  switch (cycle) {
    case 'hour':
      return t + n * HOUR;
    case 'day':
      return t + n * DAY;
    case 'week':
      return t + n * 7 * DAY;
    default:
      return addMonths(t, n * MONTHS_OF[cycle]);
  }
}

/**
 * The number of the natural hour, day, week (from Monday), month, quarter or year that an instant lies in; the next one
 * has the next number.
 */
export function naturalIndex(cycle: PeriodicCycle, t: Instant): number {
  const days = Math.floor(t / DAY);
  if (cycle === 'hour') return Math.floor(t / HOUR);
  if (cycle === 'day') return days;
  if (cycle === 'week') return Math.floor((days - FIRST_MONDAY) / 7);
  const { year, month } = civilFromDays(days);
  return Math.floor((year * 12 + month - 1) / MONTHS_OF[cycle]);
}

/**
 * When the natural period of that number begins.
 *
 * @example naturalStart('quarter', naturalIndex('quarter', at('2025-05-20'))) // at('2025-04-01')
 */
export function naturalStart(cycle: PeriodicCycle, index: number): Instant {
  if (cycle === 'hour') return index * HOUR;
  if (cycle === 'day') return index * DAY;
  if (cycle === 'week') return (FIRST_MONDAY + index * 7) * DAY;
  const months = index * MONTHS_OF[cycle];
  const year = Math.floor(months / 12);
  return daysFromCivil(year, months - year * 12 + 1, 1) * DAY;
}

/**
 * The boundary of a calendar-aligned contract in a natural period: the period's start plus the offset, its last day at
 * the latest.
 *
 * @param offset days
 * @example alignedBoundary('month', naturalIndex('month', at('2012-02-10')), 30) // at('2012-02-29')
 */
export function alignedBoundary(cycle: PeriodicCycle, index: number, offset: number): Instant {
  const start = naturalStart(cycle, index);
  if (offset === 0) return start;
  const lastDay = naturalStart(cycle, index + 1) - DAY;
  return Math.min(start + offset * DAY, lastDay);
}
