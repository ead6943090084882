import type { Instant } from '../../billing/calendar/instant.ts';
import { CONTRACT_KINDS } from '../../db/agenda/contract-kinds.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { CreditGrant } from '../../db/entities/credit.ts';
import { Customer } from '../../db/entities/customer.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { lockCustomerRow } from '../../db/sql/customer/lock.ts';
import { lockMoney, type MoneyOwner } from '../../db/wallet/lock-money.ts';
import { CREDIT_EXPIRY, dropExpiries } from './agenda.ts';
import { endUnpaidByNow } from './end-unpaid.ts';
import { expireGrants } from './expire.ts';

/** Carries out the expiry of a customer's grants on the wall clock; a second run finds nothing to do. */
export async function expireDueCredits(db: Database, customerId: string): Promise<void> {
  const now = await nowOf(db, null);
  await db.transaction((tx) => carryOutExpiry(tx, customerId, now), { by: 'timer' });
}

/**
 * The same at an instant of the customer's clock. A frozen customer's grants don't expire: the end of the freeze moves
 * their lives and plans their ends again, so a row that is due in it is dropped.
 *
 * @param now on the customer's clock
 */
export async function carryOutExpiry(tx: Tx, customerId: string, now: Instant): Promise<void> {
  const { vendorId } = await tx.em.findOneOrFail(Customer, { id: customerId }, { fields: ['vendorId'] });
  const customer = await lockCustomerRow(tx, vendorId, customerId, 'key share');
  if (customer === null) return;
  const isFrozen = customer.status === 'inactive';
  if (!isFrozen && tx.actor === 'timer' && (await isBehind(tx, customerId, now))) {
    await tx.em.nativeUpdate(Agenda, { kind: CREDIT_EXPIRY, customerId, dueAt: { $lte: now } }, { dueAt: now + PUT_OFF_MS });
    return;
  }
  const grants = await dueGrants(tx, customerId, now);
  const ids = grants.map(({ id }) => id);
  // whatever moves credits has their wallet locked when it writes or drops a row of the agenda
  await lockMoney(tx, ownersOf(grants));
  // rows of grants that are used up go, too; the customer's own workflow looks again by itself and needs no signal
  if (tx.actor === 'timer') await tx.em.nativeDelete(Agenda, { kind: CREDIT_EXPIRY, subject: { $in: ids } });
  else await dropExpiries(tx, { subject: { $in: ids } });
  if (isFrozen) return;
  await expireGrants(tx, ownersOf(grants), now, { only: ids });
  await endUnpaidByNow(tx, ids, now);
}

/** The most grants that expire in one transaction: the rows of others stay due. */
const MOST_AT_ONCE = 200;

/** The grants whose rows are due, the earliest first. */
async function dueGrants({ em }: Tx, customerId: string, now: Instant) {
  const due = { kind: CREDIT_EXPIRY, customerId, dueAt: { $lte: now } };
  const rows = await em.find(Agenda, due, { orderBy: { dueAt: 'asc', id: 'asc' }, limit: MOST_AT_ONCE, disableIdentityMap: true });
  const ids = { $in: rows.map(({ subject }) => subject) };
  return em.find(CreditGrant, { id: ids }, { fields: ['customerId', 'currency'], disableIdentityMap: true });
}

/** Each customer and currency once. */
const ownersOf = (grants: readonly MoneyOwner[]): MoneyOwner[] => [...new Map(grants.map((one) => [one.currency, one])).values()];

/** For how long an expiry waits for a contract that is behind; it is booked at its own instant all the same. */
const PUT_OFF_MS = 60_000;

/**
 * Whether something is due for a contract of the customer, for instance because no worker ran: what it has yet to
 * charge may lie in the life of credits. Nobody waits for a parked contract. On a test clock contracts come first.
 */
async function isBehind({ em }: Tx, customerId: string, now: Instant): Promise<boolean> {
  const kind = { $in: [...CONTRACT_KINDS] };
  return (await em.count(Agenda, { customerId, kind, held: false, testClockId: null, dueAt: { $lt: now } })) > 0;
}

/** The customer of a grant whose row is due on a test clock. */
export async function carryOutExpiryOf(tx: Tx, { subject }: { subject: string }, now: Instant): Promise<void> {
  const { customerId } = await tx.em.findOneOrFail(CreditGrant, { id: subject }, { fields: ['customerId'], disableIdentityMap: true });
  await carryOutExpiry(tx, customerId, now);
}
