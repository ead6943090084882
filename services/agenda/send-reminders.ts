import type { Instant } from '../../billing/calendar/instant.ts';
import type { Database } from '../../db/connect.ts';
import { isReminderDue } from '../../db/sql/agenda/is-reminder-due.ts';
import { takeInvoiceReminders, takeMethodReminders } from '../../db/sql/agenda/take-reminders.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { type PublishedEvent, publish } from '../../db/sql/event/publish.ts';
import type { Actor, Tx } from '../../db/transaction.ts';

/** Rows of one short transaction. */
const AT_ONCE = 500;

/** The clock by which reminders are sent: the wall clock, or a test clock that moves from one instant to another. */
interface ReminderTime {
  clockId: string | null;
  since: Instant;
  upTo: Instant;
}

/**
 * Sends reminders of what is to come on the wall clock: invoices in three days, and cards in their last month. No
 * workflow wakes for them.
 *
 * @returns whether there may be more
 */
export async function sendDueReminders(db: Database): Promise<boolean> {
  const now = await nowOf(db, null);
  return (await isReminderDue(db, null, now)) && (await sendSome(db, { clockId: null, since: now, upTo: now }, 'timer'));
}

/**
 * All reminders that are due on a test clock, each at its own instant, before the clock does what is due at its new
 * one.
 */
export async function sendRemindersOnClock(db: Database, time: ReminderTime & { clockId: string }): Promise<void> {
  while ((await isReminderDue(db, time.clockId, time.upTo)) && (await sendSome(db, time, 'clock')));
}

async function sendSome(db: Database, time: ReminderTime, by: Actor): Promise<boolean> {
  const taken = await db.transaction((tx) => takeSome(tx, time), { by, prepare: true });
  return taken > 0;
}

async function takeSome(tx: Tx, { clockId, since, upTo }: ReminderTime): Promise<number> {
  const invoices = await takeInvoiceReminders(tx, clockId, upTo, AT_ONCE);
  const methods = await takeMethodReminders(tx, clockId, upTo, AT_ONCE);
  const events: PublishedEvent[] = [
    ...invoices.map(({ at, ...due }) => ({ ...due, type: 'v1.invoice.upcoming' as const, data: { at } })),
    ...methods
      .filter(({ isActive }) => isActive)
      .map(({ customerId, ...due }) => ({ ...due, type: 'v1.payment_method.expiring' as const, data: { customer_id: customerId } })),
  ]
    .toSorted((a, b) => a.remindAt - b.remindAt || (a.objectId < b.objectId ? -1 : 1))
    .map(({ remindAt, ...event }) => ({ ...event, at: Math.max(since, remindAt) }));
  await publish(tx, events);
  return invoices.length + methods.length;
}
