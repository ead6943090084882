import type { Instant } from '../../billing/calendar/instant.ts';
import { Refusal } from '../../billing/refusal.ts';
import { calendarWindow, type UsageLimit } from '../../billing/usage/limit.ts';
import type { Tx } from '../../db/connect.ts';
import { counterUnits } from '../../db/sql/usage/counter-units.ts';
import { type ReservedSpan, reservedUnits } from '../../db/sql/usage/reserved-units.ts';
import { type WindowKey, windowUnits } from '../../db/sql/usage/window-units.ts';
import { together } from '../../db/together.ts';

/** Units of a feature, and where they count. `idx` null: in a period without a row, in which nothing is counted. */
export interface CountedUnits {
  customerId: string;
  slug: string;
  contractId: string;
  idx: number | null;
  at: Instant;
}

/** Units that have to fit under limits. */
export interface Under<E extends CountedUnits> {
  event: E;
  limits: readonly UsageLimit[];
}

/** What a limit allows in one window, what is counted in it, and what reservations keep. */
export interface FoundRoom {
  most: string;
  used: string;
  reserved: string;
}

/** Whether a limit or an alert counts usage of a feature. */
export const appliesTo = (
  limit: Pick<UsageLimit, 'customerId' | 'slug'>,
  { customerId, slug }: { customerId: string; slug: string },
): boolean => limit.customerId === customerId && (limit.slug === null || limit.slug === slug);

export const windowOf = (
  { customerId, slug, at }: Pick<CountedUnits, 'customerId' | 'slug' | 'at'>,
  window: 'day' | 'hour',
): WindowKey => ({
  customerId,
  slug,
  window,
  ...calendarWindow(window, at),
});

/** Names what a limit counts units in: a usage period, a day or an hour. */
export const roomKey = (limit: UsageLimit, event: CountedUnits): string =>
  limit.window === 'period' ? `${limit.id} ${event.contractId} ${event.idx}` : `${limit.id} ${calendarWindow(limit.window, event.at).from}`;

export const nameOfWindow = ({ customerId, slug, window, from }: WindowKey): string => `${customerId} ${slug} ${window} ${from}`;

/** What is taken already in each room that units have to fit into, by `roomKey`. */
export async function readRooms(tx: Tx, under: readonly Under<CountedUnits>[]): Promise<Map<string, FoundRoom>> {
  const pairs = under.flatMap(({ event, limits }) => limits.map((limit) => ({ event, limit, key: roomKey(limit, event) })));
  const rooms = [...new Map(pairs.map((pair) => [pair.key, pair])).values()];
  const windows = distinctWindows(rooms.flatMap(({ event, limit }) => (limit.window === 'period' ? [] : [windowOf(event, limit.window)])));
  const periods = rooms.flatMap(({ event, limit }) =>
    limit.window === 'period' && event.idx !== null ? [{ ...event, idx: event.idx }] : [],
  );
  const [counters, units, reserved] = await together(tx, [
    () => counterUnits(tx, periods),
    () => windowUnits(tx, windows),
    () => reservedUnits(tx, rooms.map(spanOf)),
  ]);
  const counted = new Map(counters.map((row) => [`${row.contractId} ${row.idx} ${row.slug}`, row.units]));
  const kept = new Map(windows.map((window, at) => [nameOfWindow(window), units[at] ?? '0']));
  return new Map(
    rooms.map(({ event, limit, key }, at) => {
      const used =
        limit.window === 'period'
          ? counted.get(`${event.contractId} ${event.idx} ${event.slug}`)
          : kept.get(nameOfWindow(windowOf(event, limit.window)));
      return [key, { most: limit.units ?? '0', used: used ?? '0', reserved: reserved[at] ?? '0' }];
    }),
  );
}

const distinctWindows = (windows: readonly WindowKey[]): WindowKey[] => [
  ...new Map(windows.map((window) => [nameOfWindow(window), window])).values(),
];

function spanOf({ event, limit }: { event: CountedUnits; limit: UsageLimit }): ReservedSpan {
  const { customerId, slug, contractId, idx } = event;
  if (limit.window === 'period') return { customerId, slug, from: null, to: null, contractId, idx };
  return { customerId, slug, ...calendarWindow(limit.window, event.at), contractId: null, idx: null };
}

const WINDOW_WORDS = { period: 'a usage period', day: 'a day', hour: 'an hour' } as const;

/** Why usage is refused that a limit has no room for. */
export function limitReached({ id, slug, units, amount, window }: UsageLimit): Refusal {
  const of = slug === null ? '' : ` of ${slug}`;
  const most = units === null ? `${amount} in money${of}` : `${units} units${of}`;
  return new Refusal('limit_reached', `the limit ${id} allows ${most} in ${WINDOW_WORDS[window]}`, {
    units: `would pass the limit of ${units ?? amount} in ${WINDOW_WORDS[window]}`,
  });
}
