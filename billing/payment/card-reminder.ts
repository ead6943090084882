import type { Instant } from '../calendar/instant.ts';
import type { MethodDetails } from './types.ts';

/**
 * When the customer is reminded of a card that will expire: on the first of the month in which it can be used for the
 * last time, in UTC.
 *
 * @returns null where the month isn't known
 * @example cardReminderAt({ expMonth: 7, expYear: 2025 }) // at('2025-07-01')
 */
export function cardReminderAt({ expMonth, expYear }: Pick<MethodDetails, 'expMonth' | 'expYear'>): Instant | null {
  return expMonth === null || expYear === null ? null : Date.UTC(expYear, expMonth - 1, 1);
}
