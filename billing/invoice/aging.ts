import { DAY, type Instant } from '../calendar/instant.ts';

/** How long ago unpaid money was due, in whole days of UTC. */
export const AGES = ['not_due', 'd1_30', 'd31_60', 'd61_90', 'over_90'] as const;

/** One of these ages. */
export type Age = (typeof AGES)[number];

const LAST_DAYS: readonly (readonly [Age, number])[] = [
  ['not_due', 0],
  ['d1_30', 30],
  ['d31_60', 60],
  ['d61_90', 90],
];

/**
 * How old a due date is at an instant. The days are those after the due day, so that what is due on the day itself
 * isn't late, as with `isOverdue`.
 *
 * @example ageOf(at('2025-06-01'), at('2025-06-01T23:00:00Z')) // 'not_due'
 * @example ageOf(at('2025-06-01'), at('2025-07-01')) // 'd1_30'
 * @example ageOf(at('2025-06-01'), at('2025-07-02')) // 'd31_60'
 */
export function ageOf(dueDate: Instant, now: Instant): Age {
  const days = Math.floor(now / DAY) - Math.floor(dueDate / DAY);
  return LAST_DAYS.find(([, last]) => days <= last)?.[0] ?? 'over_90';
}
