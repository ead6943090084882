import { dec, text } from '../../billing/money/decimal.ts';
import { type AskedUnits, admit, type Room, type UsageLimit } from '../../billing/usage/limit.ts';
import type { Tx } from '../../db/connect.ts';
import type { LockedElsewhere } from '../../db/sql/lock.ts';
import { addToWindows } from '../../db/sql/usage/add-to-windows.ts';
import { type AddedUnits, customersWithRoom } from '../../db/sql/usage/customers-with-room.ts';
import { insertPlaced } from '../../db/sql/usage/insert-placed.ts';
import { keyName, knownKeys } from '../../db/sql/usage/known-keys.ts';
import { lockWatched } from '../../db/sql/usage/lock-watched.ts';
import { type PlacedEvent, placeWatched } from '../../db/sql/usage/place-watched.ts';
import { type RoomOfContract, roomOfContracts } from '../../db/sql/usage/room-of-contracts.ts';
import type { WindowKey } from '../../db/sql/usage/window-units.ts';
import { together } from '../../db/together.ts';
import type { Recorded, ReportedUsage } from '../../db/usage/event.ts';
import { keepRooms, watchedForMoney, withoutMoneyOf } from './keep-rooms.ts';
import { readWatching, tellReached } from './reached.ts';
import { appliesTo, limitReached, nameOfWindow, readRooms, roomKey, type Under as UnderLimits, windowOf } from './room.ts';
import { invoiceThresholds, lockThresholds } from './thresholds.ts';
import type { Watching } from './watched-value.ts';

type Placed = ReportedUsage & PlacedEvent;

interface Limited {
  recorded: Map<string, Recorded>;
  unwatched: string[];
}

/**
 * Records events of customers with limits or alerts, many at a time, and tells of what they reach. Each customer is
 * locked, so that what is counted stays what it is until the transaction ends; then all its events are decided in their
 * order.
 *
 * Usage that surely reaches nothing that watches what it costs is only counted. What needs more than units to be
 * decided is left out: repeats, markers, usage that may come to a limit of money, and what would be left out without
 * limits. Where nothing is waited for, so are customers whose usage is priced for an alert, or because it may come to
 * an invoice threshold: others' events don't wait for that.
 *
 * @param locked whether what another transaction has locked is waited for, or left out
 * @returns by the event's id what became of it, and customers for which nothing was found to watch
 */
export async function recordLimited(tx: Tx, entries: readonly ReportedUsage[], locked: LockedElsewhere): Promise<Limited> {
  const watched = await lockWatched(tx, [...new Set(entries.map(({ customerId }) => customerId))], locked);
  const usage = { slugs: [...new Set(entries.map(({ slug }) => slug))], given: entries.flatMap(({ timestamp }) => timestamp ?? []) };
  const thresholds = locked === 'skip' ? [] : await lockThresholds(tx, [...watched], usage);
  const asked = entries.filter(({ customerId, isAbsolute }) => watched.has(customerId) && !isAbsolute);
  if (asked.length === 0) return { recorded: new Map(), unwatched: [] };
  const [watching, places, known] = await together(tx, [
    () => readWatching(tx, [...watched]),
    () => placeWatched(tx, asked, locked),
    () => knownKeys(tx, asked),
  ]);
  const units = unitsIn(places, asked);
  const early = locked === 'skip' ? await roomOfContracts(tx, [...watched], units) : [];
  const money = watchedForMoney(watching);
  const withRoom = await customersWithRoom(tx, [...money], units);
  const costly =
    locked === 'skip'
      ? pricedCustomers(
          [...money].filter((id) => !withRoom.has(id)),
          early,
        )
      : new Set<string>();
  const counting = withoutMoneyOf(watching, withRoom);
  const limits = counting.limits.filter(({ action }) => action === 'refuse');
  const cheap = asked.filter(({ customerId }) => !costly.has(customerId));
  const events = decidable(cheap, { places, known, limits });
  const under = events.map((event) => ({ event, limits: limits.filter((limit) => appliesTo(limit, event)) }));
  const rooms = roomsOf(await readRooms(tx, under));
  const outcome = admit(under.map(askedOf), rooms);
  const fitting = events.filter(({ id }) => outcome.get(id) === null);
  const written = new Set(await insertPlaced(tx, fitting));
  const counted = fitting.filter(({ id }) => written.has(id));
  await addToWindows(tx, windowsOf(counted, watching.limits));
  await tellReached(
    tx,
    counted.map(({ arrivedAt: now, ...event }) => ({ ...event, now, closed: false })),
    counting,
  );
  const users = new Map(counted.map(({ customerId: id, vendorId, arrivedAt: now }) => [id, { id, vendorId, now }]));
  await invoiceThresholds(
    tx,
    thresholds.filter(({ customerId }) => users.has(customerId)),
  );
  await keepRooms(tx, [...users.values()], counting);
  const refused = under.flatMap((one): [string, Recorded][] => refusalOf(one, outcome.get(one.event.id) ?? null));
  const recorded = new Map([...refused, ...[...written].map((id): [string, Recorded] => [id, { id }])]);
  for (const { customerId } of early) watched.delete(customerId);
  return { recorded, unwatched: locked === 'skip' ? [...watched].filter((id) => !isWatched(watching, id)) : [] };
}

/** Where events with a place are counted. */
function unitsIn(places: readonly PlacedEvent[], asked: readonly ReportedUsage[]): AddedUnits[] {
  const events = new Map(asked.map((event) => [event.id, event]));
  return places.flatMap(({ id, contractId, idx, at }) => {
    const event = events.get(id);
    return event === undefined ? [] : [{ contractId, idx, slug: event.slug, units: event.units, at }];
  });
}

type Under = UnderLimits<Placed>;

/** Customers whose open usage is priced with this group of their events: they get a group of their own. */
const pricedCustomers = (money: readonly string[], early: readonly RoomOfContract[]): Set<string> =>
  new Set([...money, ...early.filter(({ hasRoom }) => !hasRoom).map(({ customerId }) => customerId)]);

const isWatched = ({ limits, alerts, topUps }: Watching, id: string): boolean =>
  [...limits, ...alerts, ...topUps].some(({ customerId }) => customerId === id);

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

/** What is counted and what is reserved leave the same room. */
const roomsOf = (found: Awaited<ReturnType<typeof readRooms>>): Map<string, Room> =>
  new Map([...found].map(([key, { most, used, reserved }]) => [key, { most, taken: text(dec(used).plus(reserved)) }]));

const askedOf = ({ event, limits }: Under): AskedUnits => ({
  id: event.id,
  units: event.units,
  rooms: limits.map((limit) => roomKey(limit, event)),
});

/** The kept windows that written events are added to, each once. */
function windowsOf(written: readonly Placed[], limits: readonly UsageLimit[]): (WindowKey & { units: string })[] {
  const sums = new Map<string, WindowKey & { units: string }>();
  for (const event of written) {
    const own = limits.filter((limit) => appliesTo(limit, event));
    for (const window of new Set(own.flatMap((limit) => (limit.window === 'period' ? [] : [limit.window])))) {
      const key = windowOf(event, window);
      const before = sums.get(nameOfWindow(key))?.units ?? '0';
      sums.set(nameOfWindow(key), { ...key, units: text(dec(before).plus(event.units)) });
    }
  }
  return [...sums.values()];
}

function refusalOf({ event, limits }: Under, full: string | null): [string, Recorded][] {
  if (full === null) return [];
  const limit = limits.find((one) => roomKey(one, event) === full);
  return limit === undefined ? [] : [[event.id, { error: limitReached(limit) }]];
}
