import type { Instant } from '../../billing/calendar/instant.ts';
import { dec, text } from '../../billing/money/decimal.ts';
import { Refusal } from '../../billing/refusal.ts';
import { type AskedUnits, admit, calendarWindow, type Room, type UsageLimit } from '../../billing/usage/limit.ts';
import type { Tx } from '../../db/connect.ts';
import type { LockedElsewhere } from '../../db/sql/lock.ts';
import { addToWindows } from '../../db/sql/usage/add-to-windows.ts';
import { counterUnits } from '../../db/sql/usage/counter-units.ts';
import { insertPlaced } from '../../db/sql/usage/insert-placed.ts';
import { keyName, knownKeys } from '../../db/sql/usage/known-keys.ts';
import { limitsOf } from '../../db/sql/usage/list-limits.ts';
import { lockWatched } from '../../db/sql/usage/lock-watched.ts';
import { type PlacedEvent, placeWatched } from '../../db/sql/usage/place-watched.ts';
import { type WindowKey, windowUnits } from '../../db/sql/usage/window-units.ts';
import { together } from '../../db/together.ts';
import type { Recorded, ReportedUsage } from '../../db/usage/event.ts';

type Placed = ReportedUsage & PlacedEvent;

/**
 * Records events of customers with limits, many at a time. Each customer is locked, so that what is counted stays what
 * it is until the transaction ends; then all its events are decided in their order.
 *
 * What needs more than units to be decided is left out: repeats, markers, limits of money, and what would be left out
 * without limits.
 *
 * @param locked whether what another transaction has locked is waited for, or left out
 * @returns by the event's id what became of it
 */
export async function recordLimited(tx: Tx, entries: readonly ReportedUsage[], locked: LockedElsewhere): Promise<Map<string, Recorded>> {
  const watched = await lockWatched(tx, [...new Set(entries.map(({ customerId }) => customerId))], locked);
  const asked = entries.filter(({ customerId, isAbsolute }) => watched.has(customerId) && !isAbsolute);
  if (asked.length === 0) return new Map();
  const [limits, places, known] = await together(tx, [
    () => limitsOf(tx, [...watched]),
    () => placeWatched(tx, asked, locked),
    () => knownKeys(tx, asked),
  ]);
  const events = decidable(asked, { places, known, limits });
  const under = events.map((event) => ({ event, limits: limits.filter((limit) => appliesTo(limit, event)) }));
  const rooms = await readRooms(tx, under);
  const outcome = admit(under.map(askedOf), rooms);
  const fitting = events.filter(({ id }) => outcome.get(id) === null);
  const written = new Set(await insertPlaced(tx, fitting));
  await addToWindows(tx, windowsOf(under.filter(({ event }) => written.has(event.id))));
  const refused = under.flatMap((one): [string, Recorded][] => refusalOf(one, outcome.get(one.event.id) ?? null));
  return new Map([...refused, ...[...written].map((id): [string, Recorded] => [id, { id }])]);
}

interface Under {
  event: Placed;
  /** those that it has to fit under */
  limits: readonly UsageLimit[];
}

/** Events whose place is known and for which only units count; of two with one key the first. */
function decidable(
  asked: readonly ReportedUsage[],
  { places, known, limits }: { places: readonly PlacedEvent[]; known: ReadonlySet<string>; limits: readonly UsageLimit[] },
): Placed[] {
  const placeOf = new Map(places.map((place) => [place.id, place]));
  const seen = new Set(known);
  return asked.flatMap((entry) => {
    const place = placeOf.get(entry.id);
    const key = entry.idempotencyKey === null ? null : keyName({ vendorId: entry.vendorId, key: entry.idempotencyKey });
    if (place === undefined || (key !== null && seen.has(key))) return [];
    if (key !== null) seen.add(key);
    return limits.some((limit) => limit.amount !== null && appliesTo(limit, entry)) ? [] : [{ ...entry, ...place }];
  });
}

/** Whether a limit counts usage of a feature. */
export const appliesTo = (limit: UsageLimit, { customerId, slug }: { customerId: string; slug: string }): boolean =>
  limit.customerId === customerId && (limit.slug === null || limit.slug === slug);

const windowOf = ({ customerId, slug, at }: { customerId: string; slug: string; at: Instant }, window: 'day' | 'hour'): WindowKey => ({
  customerId,
  slug,
  window,
  ...calendarWindow(window, at),
});

/** Names what a limit counts an event in: a usage period, a day or an hour. */
const roomKey = (limit: UsageLimit, event: Placed): string =>
  limit.window === 'period' ? `${limit.id} ${event.contractId} ${event.idx}` : `${limit.id} ${calendarWindow(limit.window, event.at).from}`;

const askedOf = ({ event, limits }: Under): AskedUnits => ({
  id: event.id,
  units: event.units,
  rooms: limits.map((limit) => roomKey(limit, event)),
});

/** What is counted already in each room that events ask for. */
async function readRooms(tx: Tx, under: readonly Under[]): Promise<Map<string, Room>> {
  const pairs = under.flatMap(({ event, limits }) => limits.map((limit) => ({ event, limit, key: roomKey(limit, event) })));
  const rooms = [...new Map(pairs.map((pair) => [pair.key, pair])).values()];
  const windows = distinctWindows(rooms.flatMap(({ event, limit }) => (limit.window === 'period' ? [] : [windowOf(event, limit.window)])));
  const periods = rooms.filter(({ limit }) => limit.window === 'period').map(({ event }) => event);
  const [counters, units] = await together(tx, [() => counterUnits(tx, periods), () => windowUnits(tx, windows)]);
  const counted = new Map(counters.map((row) => [`${row.contractId} ${row.idx} ${row.slug}`, row.units]));
  const kept = new Map(windows.map((window, at) => [nameOf(window), units[at] ?? '0']));
  return new Map(
    rooms.map(({ event, limit, key }) => {
      const taken =
        limit.window === 'period'
          ? counted.get(`${event.contractId} ${event.idx} ${event.slug}`)
          : kept.get(nameOf(windowOf(event, limit.window)));
      return [key, { most: limit.units ?? '0', taken: taken ?? '0' }];
    }),
  );
}

const nameOf = ({ customerId, slug, window, from }: WindowKey): string => `${customerId} ${slug} ${window} ${from}`;
const distinctWindows = (windows: readonly WindowKey[]): WindowKey[] => [
  ...new Map(windows.map((window) => [nameOf(window), window])).values(),
];

/** The kept windows that written events are added to, each once. */
function windowsOf(written: readonly Under[]): (WindowKey & { units: string })[] {
  const sums = new Map<string, WindowKey & { units: string }>();
  for (const { event, limits } of written) {
    for (const window of new Set(limits.flatMap((limit) => (limit.window === 'period' ? [] : [limit.window])))) {
      const key = windowOf(event, window);
      const before = sums.get(nameOf(key))?.units ?? '0';
      sums.set(nameOf(key), { ...key, units: text(dec(before).plus(event.units)) });
    }
  }
  return [...sums.values()];
}

function refusalOf({ event, limits }: Under, full: string | null): [string, Recorded][] {
  if (full === null) return [];
  const limit = limits.find((one) => roomKey(one, event) === full);
  return limit === undefined ? [] : [[event.id, { error: limitReached(limit) }]];
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
