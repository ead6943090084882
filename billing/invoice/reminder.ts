import { DAY, type Instant } from '../calendar/instant.ts';

/** A reminder of an unpaid invoice: its instant, and the day from the due date that it is sent for. */
export interface Reminder {
  day: number;
  at: Instant;
}

/**
 * The next reminder of an unpaid invoice.
 *
 * @param days from the due date, whole and in ascending order
 * @param after only reminders after this instant
 * @returns null after the last day
 * @example
 * nextReminder(at('2025-07-01'), [3, 10], at('2025-07-01')) // { day: 3, at: at('2025-07-04') }
 * nextReminder(at('2025-07-01'), [3, 10], at('2025-07-04')) // { day: 10, at: at('2025-07-11') }
 * nextReminder(at('2025-07-01'), [3, 10], at('2025-07-11')) // null
 */
export function nextReminder(dueDate: Instant, days: readonly number[], after: Instant): Reminder | null {
  const day = days.find((one) => dueDate + one * DAY > after);
  return day === undefined ? null : { day, at: dueDate + day * DAY };
}
