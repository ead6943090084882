import type { Instant } from '../calendar/instant.ts';
import { dec } from '../money/decimal.ts';

/** Over which time a limit counts: a usage period, or a day or an hour of the calendar in UTC. */
export type LimitWindow = 'period' | 'day' | 'hour';

/** How much a customer may use. Either `units` or `amount` is set. */
export interface UsageLimit {
  id: string;
  customerId: string;
  /** null: all features with a usage price together, which have an amount in common but no units */
  slug: string | null;
  units: string | null;
  /** of what the usage of the open period comes to, in the contract's currency */
  amount: string | null;
  window: LimitWindow;
  /** what happens to usage beyond it: a refusal, or an announcement once in each window */
  action: 'refuse' | 'tell';
}

const LENGTH_MS = { day: 86_400_000, hour: 3_600_000 } as const;

/** An instant's day or hour in UTC; `to` is not included. */
export interface CalendarWindow {
  from: Instant;
  to: Instant;
}

/**
 * The day or hour of an instant. Days have 24 hours: there is no other time than UTC.
 *
 * @example
 * calendarWindow('hour', at('2025-03-30T01:59:59Z')) // { from: at('2025-03-30T01:00:00Z'), to: at('2025-03-30T02:00:00Z') }
 */
export function calendarWindow(window: Exclude<LimitWindow, 'period'>, at: Instant): CalendarWindow {
  const length = LENGTH_MS[window];
  const from = Math.floor(at / length) * length;
  return { from, to: from + length };
}

/** What a limit allows in one window, and what is taken of it. */
export interface Room {
  most: string;
  taken: string;
}

/** An event that asks for units under limits; `rooms` are the keys of the limits' rooms. */
export interface AskedUnits {
  id: string;
  units: string;
  rooms: readonly string[];
}

/**
 * Admits events in their order. An event that fits under all of its limits takes its units from each; one that doesn't
 * fit takes none, so a later event may still fit.
 *
 * @returns by the event's id: null if it fits, else the key of the first room that it doesn't fit into
 * @example
 * const rooms = new Map([['day', { most: '10', taken: '4' }]]);
 * const asked = [['a', '5'], ['b', '2'], ['c', '1']].map(([id, units]) => ({ id, units, rooms: ['day'] }));
 * [...admit(asked, rooms).values()] // [null, 'day', null]
 */
export function admit(asked: readonly AskedUnits[], rooms: ReadonlyMap<string, Room>): Map<string, string | null> {
  const taken = new Map([...rooms].map(([key, room]) => [key, dec(room.taken)]));
  const takenOf = (key: string) => taken.get(key) ?? dec('0');
  const outcome = new Map<string, string | null>();
  for (const { id, units, rooms: keys } of asked) {
    const full =
      keys.find((key) =>
        takenOf(key)
          .plus(units)
          .greaterThan(rooms.get(key)?.most ?? '0'),
      ) ?? null;
    outcome.set(id, full);
    if (full === null) for (const key of keys) taken.set(key, takenOf(key).plus(units));
  }
  return outcome;
}

/**
 * Whether a change of usage passes a limit: what is taken is above the limit afterwards, and the change has raised it
 * or reports usage (which may cost nothing). A change that lowers what is taken is allowed above the limit, too.
 */
export function passes(most: string, { before, after, isReport }: { before: string; after: string; isReport: boolean }): boolean {
  return dec(after).greaterThan(most) && (isReport || dec(after).greaterThan(before));
}
