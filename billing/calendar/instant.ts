import { fail } from '../problem.ts';
import { daysFromCivil, daysInMonth } from './civil.ts';

/** A moment: whole milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

const SECOND = 1_000;
/** Milliseconds of a minute. */
export const MINUTE = 60 * SECOND;
/** Milliseconds of an hour. */
export const HOUR = 60 * MINUTE;
/** Milliseconds of a day: in UTC every day has 24 hours. */
export const DAY = 24 * HOUR;

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/;

// The years that the database, JSON and JavaScript dates all write with four digits.
/** The first instant of the year 1. */
export const FIRST_INSTANT: Instant = daysFromCivil(1, 1, 1) * DAY;
const LAST: Instant = daysFromCivil(10_000, 1, 1) * DAY - 1;

/**
 * Reads an ISO 8601 date or date-time. A date alone is its 00:00Z, a date-time without offset is UTC, digits beyond
 * milliseconds are cut off.
 *
 * @param field the name the problem is reported under
 * @throws BillingError `invalid_instant` for anything else, also for days that don't exist and years outside 1–9999
 * @example at('2025-01-01T02:00:00+02:00') // 1735689600000
 * @example at('2025-01-01') // 1735689600000
 */
export function at(iso: string, field = 'timestamp'): Instant {
  const match = ISO.exec(iso);
  if (!match) return invalid(field);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  if (day < 1 || day > daysInMonth(year, month)) return invalid(field);
  if (hour > 23 || minute > 59 || second > 59) return invalid(field);
  const millis = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const instant =
    daysFromCivil(year, month, day) * DAY + hour * HOUR + minute * MINUTE + second * SECOND + millis - offsetOf(match[8], field);
  return instant >= FIRST_INSTANT && instant <= LAST ? instant : invalid(field);
}

function offsetOf(zone: string | undefined, field: string): number {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (hours > 23 || minutes > 59) return invalid(field);
  return (zone.startsWith('-') ? -1 : 1) * (hours * HOUR + minutes * MINUTE);
}

function invalid(field: string): never {
  return fail(field, 'invalid_instant', 'give an ISO 8601 date-time such as "2025-01-31T00:00:00Z"');
}

/**
 * The ISO 8601 text of an instant, in UTC with milliseconds.
 *
 * @throws BillingError `invalid_instant` when it isn't a whole number of milliseconds within ±100 million days
 * @example iso(1735689600000) // '2025-01-01T00:00:00.000Z'
 */
export function iso(instant: Instant): string {
  if (!Number.isInteger(instant) || Math.abs(instant) > 8.64e15) return invalid('timestamp');
  return new Date(instant).toISOString();
}
