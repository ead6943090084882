import type { Instant } from '../../billing/calendar/instant.ts';
import { nextReminder } from '../../billing/invoice/reminder.ts';
import { dec } from '../../billing/money/decimal.ts';
import type { EmailRow } from '../../db/sql/email/queue.ts';
import type { Tx } from '../../db/transaction.ts';
import { readEmailSettings } from '../preferences/email.ts';
import { queueEmails, queueRows } from './queue.ts';

/** A final invoice, as far as e-mails go. */
export interface FinalInvoice {
  id: string;
  vendorId: string;
  customerId: string;
  dueDate: Instant;
  total: string;
  amountDue: string;
}

/**
 * Queues the e-mail of each new invoice with something to pay or paid, and plans the first reminder of what is open.
 *
 * @param now on the customers' clock
 */
export async function emailInvoices(tx: Tx, invoices: readonly FinalInvoice[], now: Instant): Promise<void> {
  const some = invoices.filter(({ total }) => dec(total).gt(0));
  const written = await queueEmails(
    tx,
    some.map(({ id, customerId }) => ({ customerId, kind: 'invoice', objectId: id })),
  );
  const open = some.filter(({ customerId, amountDue }) => written.has(customerId) && dec(amountDue).gt(0));
  const rows: EmailRow[] = [];
  for (const [vendorId, own] of Map.groupBy(open, (invoice) => invoice.vendorId)) {
    const { remindDays } = await readEmailSettings(tx.em, vendorId);
    rows.push(...own.flatMap((invoice) => reminderRow(invoice, remindDays, now)));
  }
  await queueRows(tx, rows);
}

/** The next reminder of an invoice, none after the last day (`nextReminder`). */
export function reminderRow(
  { id, customerId, dueDate }: Pick<FinalInvoice, 'id' | 'customerId' | 'dueDate'>,
  days: readonly number[],
  after: Instant,
): EmailRow[] {
  const next = nextReminder(dueDate, days, after);
  if (next === null) return [];
  return [{ customerId, kind: 'invoice_reminder', subject: id, detail: { invoice_id: id, day: next.day }, dueAt: next.at }];
}
