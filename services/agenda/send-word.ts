import type { Instant } from '../../billing/calendar/instant.ts';
import type { Database } from '../../db/connect.ts';
import { isWordDue } from '../../db/sql/agenda/is-word-due.ts';
import { takeInvoiceWords, takeMethodWords } from '../../db/sql/agenda/take-words.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { type PublishedEvent, publish } from '../../db/sql/event/publish.ts';
import type { Actor, Tx } from '../../db/transaction.ts';

/** Rows of one short transaction. */
const AT_ONCE = 500;

/** The clock by which word is sent: the wall clock, or a test clock that moves from one instant to another. */
interface WordTime {
  clockId: string | null;
  since: Instant;
  upTo: Instant;
}

/**
 * Sends word of what is to come on the wall clock: invoices in three days, and cards in their last month. No workflow
 * wakes for it.
 *
 * @returns whether there may be more
 */
export async function sendDueWord(db: Database): Promise<boolean> {
  const now = await nowOf(db, null);
  return (await isWordDue(db, null, now)) && (await sendSome(db, { clockId: null, since: now, upTo: now }, 'timer'));
}

/** All word that is due on a test clock, each at its own instant, before the clock does what is due at its new one. */
export async function sendWordOnClock(db: Database, time: WordTime & { clockId: string }): Promise<void> {
  while ((await isWordDue(db, time.clockId, time.upTo)) && (await sendSome(db, time, 'clock')));
}

async function sendSome(db: Database, time: WordTime, by: Actor): Promise<boolean> {
  const taken = await db.transaction((tx) => takeSome(tx, time), { by, prepare: true });
  return taken > 0;
}

async function takeSome(tx: Tx, { clockId, since, upTo }: WordTime): Promise<number> {
  const invoices = await takeInvoiceWords(tx, clockId, upTo, AT_ONCE);
  const methods = await takeMethodWords(tx, clockId, upTo, AT_ONCE);
  const events: PublishedEvent[] = [
    ...invoices.map(({ at, ...word }) => ({ ...word, type: 'v1.invoice.upcoming' as const, data: { at } })),
    ...methods
      .filter(({ isActive }) => isActive)
      .map(({ customerId, ...word }) => ({ ...word, type: 'v1.payment_method.expiring' as const, data: { customer_id: customerId } })),
  ]
    .toSorted((a, b) => a.wordAt - b.wordAt || (a.objectId < b.objectId ? -1 : 1))
    .map(({ wordAt, ...event }) => ({ ...event, at: Math.max(since, wordAt) }));
  await publish(tx, events);
  return invoices.length + methods.length;
}
