import type { Instant } from '../../billing/calendar/instant.ts';
import type { Database } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { Customer } from '../../db/entities/customer.ts';
import { PaymentMethod } from '../../db/entities/payment-method.ts';
import { restAfter } from '../../db/rest-after.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { lockCustomerRow } from '../../db/sql/customer/lock.ts';
import { erasePage, type PageEnd } from '../../db/sql/erasure/erase-page.ts';
import { ERASED } from '../../db/sql/erasure/tables.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import type { Tx } from '../../db/transaction.ts';
import { detachSome } from '../payment/method.ts';
import { failSessions } from '../payment/session.ts';
import { ERASURE } from './begin.ts';

/** Rows of one transaction. */
const AT_ONCE = 500;
/** No further transaction begins after so many milliseconds; the workflow then calls again. */
const BUDGET_MS = 5_000;
/** Before a provider that still has to delete a method is looked at again. */
const PAUSE_MS = 10_000;

/** Where an erasure stands: the table it is at, and the last row of it that is done. */
interface Standing {
  table: number;
  after: PageEnd;
}

/**
 * Goes on erasing what is personal of a customer, table by table, each transaction some hundred rows. Where it stands
 * is written with them, so that it goes on there after a kill. With the last of them the erasure has ended.
 */
export async function eraseSome(db: Database, customerId: string): Promise<void> {
  const until = performance.now() + BUDGET_MS;
  for (let goesOn = true; goesOn && performance.now() < until; )
    goesOn = await restAfter(() => db.transaction((tx) => erasePart(tx, customerId), { by: 'timer' }), Boolean);
}

/** @returns whether more can be erased now */
async function erasePart(tx: Tx, customerId: string): Promise<boolean> {
  const row = await tx.em.findOne(Agenda, { kind: ERASURE, subject: customerId }, FOR_UPDATE);
  const now = await nowOf(tx, null);
  if (row === null || row.dueAt > now) return false;
  const { table = 0, after = null } = row.detail as Partial<Standing>;
  if (table === 0 && ((await failsMore(tx, customerId)) || (await detachesMore(tx, customerId)))) {
    row.dueAt = now;
    return true;
  }
  const erased = ERASED[table];
  if (erased === undefined) return end(tx, customerId, now);
  if (erased.table === 'payment_method' && (await isDetaching(tx, customerId))) {
    row.dueAt = now + PAUSE_MS;
    return false;
  }
  const place = await erasePage(tx, erased, customerId, after, AT_ONCE);
  // an erasure that gets on is not overdue
  row.dueAt = now;
  row.detail = place === null ? { table: table + 1, after: null } : { table, after: place };
  return true;
}

/** The first step of an erasure: ends the open forms of the customer. */
async function failsMore(tx: Tx, customerId: string): Promise<boolean> {
  const { clockId } = await tx.em.findOneOrFail(Customer, { id: customerId });
  return failSessions(tx, customerId, await nowOf(tx, clockId));
}

/** The second step: detaches the payment methods, so that none pays any more. */
async function detachesMore(tx: Tx, customerId: string): Promise<boolean> {
  const { vendorId } = await tx.em.findOneOrFail(Customer, { id: customerId });
  await lockCustomerRow(tx, vendorId, customerId, 'update');
  return detachSome(tx, vendorId, customerId);
}

/** A provider that is to delete a method needs what names it there. */
const isDetaching = async ({ em }: Tx, customer: string): Promise<boolean> =>
  (await em.count(PaymentMethod, { customer, detachPending: true })) > 0;

async function end({ em }: Tx, customerId: string, now: Instant): Promise<false> {
  await em.nativeDelete(Agenda, { kind: ERASURE, subject: customerId });
  await em.nativeUpdate(Customer, { id: customerId }, { erasureEnded: now });
  return false;
}
