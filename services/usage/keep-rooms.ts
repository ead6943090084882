import { fewerUnits, type UsageRoom } from '../../billing/contract/charge/most-units.ts';
import { roomToSpend } from '../../billing/contract/charge/room-to-spend.ts';
import type { Tx } from '../../db/connect.ts';
import { readPauses } from '../../db/sql/customer/read-pauses.ts';
import { keepRoom, moneyState } from '../../db/sql/usage/keep-room.ts';
import type { CounterKey } from '../../db/sql/usage/part.ts';
import { type CreditRooms, creditRooms } from '../credit/rooms.ts';
import type { WatchedCustomer } from '../usage-alert/tell.ts';
import { openPartsOf } from './open-parts.ts';
import { withBounds } from './spend-bounds.ts';
import type { Watching } from './watched-value.ts';

/** Customers that are watched for what their usage costs. */
export function watchedForMoney({ limits, alerts, topUps }: Watching): Set<string> {
  const ofMoney = [...limits.filter(({ amount }) => amount !== null), ...alerts.filter(({ on }) => on !== 'usage'), ...topUps];
  return new Set(ofMoney.map(({ customerId }) => customerId));
}

/** What is watched besides the money of some customers. */
export const withoutMoneyOf = ({ limits, alerts, topUps }: Watching, customerIds: ReadonlySet<string>): Watching => ({
  limits: limits.filter(({ amount, customerId }) => amount === null || !customerIds.has(customerId)),
  alerts: alerts.filter(({ on, customerId }) => on === 'usage' || !customerIds.has(customerId)),
  topUps: topUps.filter(({ customerId }) => !customerIds.has(customerId)),
});

/**
 * Stores how much more usage of customers certainly reaches no limit, alert or threshold of money. To be called last:
 * what the usage has reached is announced and all else of the transaction is written, since a later write would give
 * the state the same name. The caller has locked the customers against other changes of their usage.
 */
export async function keepRooms(tx: Tx, customers: readonly WatchedCustomer[], watching: Watching): Promise<void> {
  const watched = watchedForMoney(watching);
  for (const customer of customers) {
    const { id: customerId, now } = customer;
    if (!watched.has(customerId)) continue;
    const own = watchingOf(watching, customerId);
    const state = await moneyState(tx, customerId);
    const parts = await withBounds(tx, await openPartsOf(tx, customerId), own);
    const spend = roomToSpend(parts, await readPauses(tx, customerId));
    const watchesCredits = own.topUps.length > 0 || own.alerts.some(({ on }) => on === 'balance');
    const credits = watchesCredits ? await creditRooms(tx, customer, own.alerts) : { asked: [], known: [], since: null };
    await keepRoom(tx, { customerId, state, now, since: credits.since, rooms: leastOf(spend, credits) });
  }
}

/** What is known both of what usage costs and, where credits may pay for it, of the credits. */
function leastOf(spend: readonly UsageRoom[], { asked, known }: CreditRooms): UsageRoom[] {
  const nameOf = ({ contractId, idx, slug }: CounterKey): string => `${contractId} ${idx} ${slug}`;
  const mayPay = new Set(asked.map(nameOf));
  const credits = new Map(known.map((room) => [nameOf(room), room]));
  return spend.flatMap((room): UsageRoom[] => {
    const other = credits.get(nameOf(room));
    if (other === undefined) return mayPay.has(nameOf(room)) ? [] : [room];
    return [{ ...room, units: fewerUnits(room.units, other.units) }];
  });
}

function watchingOf({ limits, alerts, topUps }: Watching, id: string): Watching {
  const isOwn = ({ customerId }: { customerId: string }): boolean => customerId === id;
  return { limits: limits.filter(isOwn), alerts: alerts.filter(isOwn), topUps: topUps.filter(isOwn) };
}
