import type { Instant } from '../../billing/calendar/instant.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import type { DuePayment } from '../../db/sql/agenda/due-collections.ts';
import { lockCustomerRow } from '../../db/sql/customer/lock.ts';
import { lockAttempt } from '../../db/sql/payment/lock-attempt.ts';
import { lockInvoice } from '../../db/sql/payment/lock-invoice.ts';
import { attemptById } from '../../db/sql/payment/read-attempt.ts';
import { candidates } from '../../db/sql/payment/read-candidates.ts';
import { ownerOf } from '../../db/sql/payment/read-owner.ts';
import { updateAttempt } from '../../db/sql/payment/update-attempt.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { payingInvoice, settleWallets } from '../wallet/settle.ts';
import { endDunning } from './end-dunning.ts';
import { openAttempts } from './open-attempt.ts';

export const PAYMENT_KINDS: readonly string[] = ['payment_due', 'payment_retry', 'payment_answer', 'dunning_end'];

/**
 * Carries out what is due for an invoice: opens its next attempt, has the provider asked about the one that waits, or
 * does what its contract says of the end of dunning. Takes the row off the agenda; a second run finds nothing to do.
 *
 * @param now the time on the invoice's clock
 * @returns the attempt to wait for, null when nothing is charged
 */
export async function collectPayment(tx: Tx, due: DuePayment, now: Instant): Promise<string | null> {
  if (due.kind === 'payment_answer') return askAgain(tx, due);
  const owner = await ownerOf(tx, due.subject);
  if (owner === null) return null;
  if (due.kind === 'dunning_end') return endDunning(tx, due, now);
  await lockCustomerRow(tx, owner.vendorId, owner.customerId, 'key share');
  return charge(tx, due.subject, now);
}

/** Signals the workflow of an attempt, so that it asks the provider; the attempt pays an invoice or a payment gate. */
async function askAgain(tx: Tx, { subject, detail }: DuePayment): Promise<string | null> {
  const seen = await attemptById(tx, String(detail.payment_id));
  if (seen !== null) await lockCustomerRow(tx, seen.vendorId, seen.customerId, 'key share');
  await tx.em.nativeDelete(Agenda, { kind: 'payment_answer', subject });
  const attempt = await lockAttempt(tx, String(detail.payment_id));
  if (attempt === null || attempt.status !== 'processing') return null;
  await updateAttempt(tx, attempt.id, { askAt: null });
  enqueue(tx, 'payment', attempt.id);
  return attempt.id;
}

/** Everything is read again under the invoice's lock: the customer, the method, what the wallet has left to pay. */
async function charge(tx: Tx, invoiceId: string, now: Instant): Promise<string | null> {
  const [before] = await candidates(tx, [invoiceId]);
  if (before?.collectable && before.isOffered) await settleWallets(tx, [payingInvoice(before, now)]);
  const invoice = await lockInvoice(tx, invoiceId);
  const [candidate] = await candidates(tx, [invoiceId]);
  await tx.em.nativeDelete(Agenda, { kind: { $in: ['payment_due', 'payment_retry'] }, subject: invoiceId });
  if (invoice === null || candidate === undefined || !candidate.collectable || candidate.method === null) return null;
  // the step that offers the last open invoice plans it again
  if (!candidate.isOffered) return null;
  const [attemptId] = await openAttempts(tx, [{ invoice, method: candidate.method, origin: 'automatic', now }]);
  return attemptId ?? null;
}
