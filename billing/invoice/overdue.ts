import { DAY, type Instant } from '../calendar/instant.ts';

/**
 * Whether the due day of an invoice has passed, in UTC: what falls due on the day it is made isn't late at once. Due on
 * 1 June at 00:00 or at 09:30, it is overdue from 2 June 00:00 on.
 *
 * @param now on the customer's clock
 */
export function isOverdue(dueDate: Instant, now: Instant): boolean {
  return Math.floor(dueDate / DAY) * DAY + DAY <= now;
}
