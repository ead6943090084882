import type { Instant } from '../../billing/calendar/instant.ts';
import type { Tx } from '../../db/connect.ts';
import { CreditGrant } from '../../db/entities/credit.ts';
import { InvoiceItem } from '../../db/entities/invoice.ts';
import { type LockedInvoice, lockInvoice } from '../../db/sql/payment/lock-invoice.ts';
import { runningAttempt } from '../../db/sql/payment/running-attempt.ts';
import { creditLocked } from '../credit-note/create.ts';
import { voidLocked } from '../invoice/validate.ts';

/**
 * Ends bought credits that are not paid: nothing is owed for them any more, and what was paid in part goes to the
 * wallet. A note takes back an invoice that is final; one that awaits its validation is voided.
 *
 * @param invoice locked, without a payment under way
 */
export async function endUnpaid(tx: Tx, invoice: LockedInvoice, now: Instant): Promise<void> {
  if (invoice.status === 'pending_validation') return voidLocked(tx, invoice.id, now);
  const lines = await tx.em.find(InvoiceItem, { invoiceId: invoice.id }, { fields: ['id'], disableIdentityMap: true });
  const items = lines.map(({ id: lineId }) => ({ lineId }));
  await creditLocked(tx, { invoice, now }, { items, to: 'wallet', notes: null });
}

/** Ends those of these credits that nobody has paid by the end of their life. A payment under way decides by itself. */
export async function endUnpaidByNow(tx: Tx, grantIds: readonly string[], now: Instant): Promise<void> {
  const late = { id: { $in: [...grantIds] }, invoiceId: { $ne: null }, paidAt: null, voidedAt: null, expiresAt: { $lte: now } };
  const found = await tx.em.find(CreditGrant, late, { fields: ['invoiceId'], orderBy: { id: 'asc' }, disableIdentityMap: true });
  for (const { invoiceId } of found) {
    const invoice = await lockInvoice(tx, invoiceId ?? '');
    if (invoice === null || !(await isOpen(tx, invoice))) continue;
    await endUnpaid(tx, invoice, now);
  }
}

/** Whether nothing has settled it, and nothing is about to. */
export async function isOpen(tx: Tx, { id, status }: LockedInvoice): Promise<boolean> {
  if (status !== 'ready_for_payment' && status !== 'pending_validation') return false;
  return (await runningAttempt(tx, id)) === null;
}
