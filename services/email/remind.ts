import type { Instant } from '../../billing/calendar/instant.ts';
import type { Database } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { Customer } from '../../db/entities/customer.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { PaymentMethod } from '../../db/entities/payment-method.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import type { Tx } from '../../db/transaction.ts';
import { workflowIdOf } from '../../temporal/message-kinds.ts';
import { readEmailSettings } from '../preferences/email.ts';
import { collectionOf } from './collected.ts';
import { reminderRow } from './invoices.ts';
import { queueEmails, queueRows } from './queue.ts';

interface DueReminder {
  kind: string;
  subject: string;
  detail: Record<string, unknown>;
}

/** Looks at the facts at a planned time: they decide whether an e-mail is queued. */
const REMINDERS: Readonly<Record<string, (tx: Tx, due: DueReminder, now: Instant) => Promise<void>>> = {
  invoice_reminder: remindOfInvoice,
  card_reminder: remindOfCard,
};

export const REMINDER_KINDS: readonly string[] = Object.keys(REMINDERS);

/** Carries out what is due of a customer on the wall clock. */
export async function remindCustomer(db: Database, customerId: string): Promise<void> {
  const now = await nowOf(db, null);
  const due = {
    workflowId: workflowIdOf('customer', customerId),
    testClockId: null,
    kind: { $in: [...REMINDER_KINDS] },
    dueAt: { $lte: now },
  };
  const rows = await db.em().find(Agenda, due, { orderBy: { dueAt: 'asc', id: 'asc' }, limit: 20 });
  for (const row of rows) await db.transaction((tx) => carryOutReminder(tx, row, now), { by: 'timer' });
}

/** Takes the row off the agenda; a second run finds nothing to do. */
export async function carryOutReminder(tx: Tx, { kind, subject, detail }: DueReminder, now: Instant): Promise<void> {
  const taken = await tx.em.nativeDelete(Agenda, { kind, subject, dueAt: { $lte: now } });
  if (taken > 0) await REMINDERS[kind]?.(tx, { kind, subject, detail }, now);
}

/** Nobody is reminded of what is collected automatically, or while an account is frozen. */
async function remindOfInvoice(tx: Tx, { subject: invoiceId, detail }: DueReminder, now: Instant): Promise<void> {
  const invoice = await tx.em.findOne(Invoice, { id: invoiceId, status: 'ready_for_payment', amountDue: { $gt: '0' } });
  if (invoice === null) return;
  const { customerId, vendorId } = invoice;
  const customer = await tx.em.findOneOrFail(Customer, { id: customerId });
  if (customer.status !== 'inactive' && (await collectionOf(tx.em, invoiceId)) === null) {
    const day = Number(detail.day);
    await queueEmails(tx, [{ customerId, kind: 'reminder', objectId: invoiceId, occasion: String(day), detail: { day } }]);
  }
  const { remindDays } = await readEmailSettings(tx.em, vendorId);
  await queueRows(tx, reminderRow(invoice, remindDays, now));
}

async function remindOfCard(tx: Tx, { subject: methodId }: DueReminder): Promise<void> {
  const method = await tx.em.findOne(PaymentMethod, { id: methodId, status: 'active' }, { populate: ['customer'] });
  if (method === null || method.customer.$.defaultPayment !== methodId) return;
  await queueEmails(tx, [{ customerId: method.customer.id, kind: 'card_expiring', objectId: methodId }]);
}
