import type { Instant } from '../calendar/instant.ts';
import { dec, text, ZERO } from '../money/decimal.ts';

/**
 * A usage event. `arrival` is the order in which events came in: a number, or the digits of one that is too big for a
 * number.
 */
export interface UsageReport {
  id: string;
  timestamp: Instant;
  arrival: number | string;
  units: string;
  isAbsolute: boolean;
  discarded: boolean;
}

/**
 * The period summed: half-open, `to` null while it has no end. `endIncluded` takes in the very last instant too (a
 * change or cancellation).
 */
export interface UsageSpan {
  from: Instant;
  to: Instant | null;
  endIncluded?: boolean;
}

/**
 * The sum of a period's events. `ignored` are the events of the period that a marker discarded; `counted` includes the
 * marker.
 */
export interface UsageSum {
  units: string;
  counted: number;
  ignored: string[];
  marker: string | null;
}

/**
 * Sums the usage of one period. Without a marker (`isAbsolute`) all events are added. The last marker discards what is
 * earlier in the period and sets the zero value to its units. Events of the marker's own timestamp count as later than
 * it; of two markers with one timestamp the later arrival is the last. Discarded events, and those outside the period,
 * don't count. The order of the list doesn't matter. Events stay in Postgres, whose statements follow this rule (usage
 * in `db/README.md`); the tests compare them with it.
 *
 * @example
 * const event = (time, units, isAbsolute = false) =>
 *   ({ id: time, timestamp: at(`2025-06-01T${time}`), arrival: 1, units, isAbsolute, discarded: false });
 * const events = [event('09:00', '10'), event('12:00', '4', true), event('12:00', '3'), event('15:00', '2')];
 * sumUsage(events, { from: at('2025-06-01'), to: null }).units // '9'
 */
export function sumUsage(events: readonly UsageReport[], span: UsageSpan): UsageSum {
  const within = events.filter((event) => !event.discarded && isWithin(event.timestamp, span));
  const marker = lastMarker(within);
  const counts = (event: UsageReport): boolean =>
    marker === null || event === marker || (!event.isAbsolute && event.timestamp >= marker.timestamp);
  const counted = within.filter(counts);
  return {
    units: text(counted.reduce((total, event) => total.plus(dec(event.units)), ZERO)),
    counted: counted.length,
    ignored: within.filter((event) => !counts(event)).map((event) => event.id),
    marker: marker?.id ?? null,
  };
}

function isWithin(timestamp: Instant, { from, to, endIncluded = false }: UsageSpan): boolean {
  return timestamp >= from && (to === null || timestamp < to || (endIncluded && timestamp === to));
}

function lastMarker(events: readonly UsageReport[]): UsageReport | null {
  let last: UsageReport | null = null;
  for (const event of events) {
    if (event.isAbsolute && (last === null || compareUsage(event, last) > 0)) last = event;
  }
  return last;
}

/**
 * The order of usage events: by timestamp, then by arrival.
 *
 * @returns below zero when `a` comes before `b`
 */
export function compareUsage(a: Pick<UsageReport, 'timestamp' | 'arrival'>, b: Pick<UsageReport, 'timestamp' | 'arrival'>): number {
  return a.timestamp - b.timestamp || compareArrival(a.arrival, b.arrival);
}

function compareArrival(a: number | string, b: number | string): number {
  const [first, second] = [BigInt(a), BigInt(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}
