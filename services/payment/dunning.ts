import type { Instant } from '../../billing/calendar/instant.ts';
import { next, takes } from '../../billing/lifecycle/machine.ts';
import { paymentAttemptMachine } from '../../billing/lifecycle/payment-attempt.ts';
import type { Tx } from '../../db/connect.ts';
import { count } from '../../db/counted.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { Dunning, PaymentAttempt } from '../../db/entities/payment.ts';
import { Vendor } from '../../db/entities/vendor.ts';
import { CUSTOMER_NOT_ACTIVE, INVOICE_PAID, NEVER_MADE } from '../../db/payment/never-made.ts';
import { lockCustomerRow } from '../../db/sql/customer/lock.ts';
import type { AttemptOfInvoice } from '../../db/sql/payment/attempt.ts';
import { lockAttempt } from '../../db/sql/payment/lock-attempt.ts';
import { type LockedInvoice, lockInvoice } from '../../db/sql/payment/lock-invoice.ts';
import { attemptById } from '../../db/sql/payment/read-attempt.ts';
import { updateAttempt } from '../../db/sql/payment/update-attempt.ts';
import { dropGateAttempt } from '../payment-gate/record.ts';
import { payingInvoice, settleWallets } from '../wallet/settle.ts';
import { planPayments } from './plan.ts';

/**
 * Counts a failure. The first one sets the day the retries are counted from, with the vendor's retry days as they are
 * then; a failure of another method begins again at one.
 */
export async function noteFailure(
  { em }: Tx,
  attempt: AttemptOfInvoice,
  retryable: boolean,
  retryDays: readonly number[],
  now: Instant,
): Promise<void> {
  const { invoiceId, customerId, vendorId, methodId } = attempt;
  if (methodId === null) throw new Error(`payment attempt ${attempt.id} has no method`);
  const known = await em.findOne(Dunning, { invoiceId });
  const givenUp = !retryable;
  if (known?.methodId === methodId) em.assign(known, { givenUp, failures: known.failures + 1 });
  else {
    const vendor = await em.findOneOrFail(Vendor, { id: vendorId });
    const first = { methodId, givenUp, failures: 1, firstFailure: now, retryDays: vendor.retryDays ?? [...retryDays], ended: null };
    if (known === null) em.create(Dunning, { invoiceId, customerId, ...first });
    else em.assign(known, first);
  }
  await em.flush();
}

/**
 * A charge that was never made, because the customer was frozen or the invoice paid meanwhile, counts as not begun.
 * Where the customer has been activated since, its invoices are planned again.
 */
export async function dropAttempt(tx: Tx, attemptId: string, now: Instant): Promise<void> {
  const seen = await attemptById(tx, attemptId);
  if (seen === null) return;
  if (seen.gateId !== null) return dropGateAttempt(tx, { ...seen, gateId: seen.gateId }, CUSTOMER_NOT_ACTIVE);
  const customer = await lockCustomerRow(tx, seen.vendorId, seen.customerId, 'key share');
  const invoice = await lockInvoice(tx, seen.invoiceId ?? '');
  const attempt = await lockAttempt(tx, attemptId);
  if (invoice === null || attempt === null) throw new Error(`payment attempt ${attemptId} has no invoice`);
  if (!takes(paymentAttemptMachine, attempt.status, 'drop') || attempt.calledAt !== null) return;
  const isUnpaid = invoice.status === 'ready_for_payment';
  const status = next(paymentAttemptMachine, attempt.status, 'drop');
  await updateAttempt(tx, attemptId, { status, reason: isUnpaid ? CUSTOMER_NOT_ACTIVE : INVOICE_PAID, retryable: true, ended: now });
  count(tx, 'payments', { provider: attempt.provider, outcome: 'dropped' });
  if (isUnpaid) await asBefore(tx, invoice, { now, frozen: customer?.status === 'inactive' });
}

/**
 * Brings an invoice whose attempt was dropped back to the state before it: its status follows the last attempt that was
 * made, and its collection is planned again. Money that the wallet gained while the attempt was open could not pay it
 * then, and pays first.
 */
async function asBefore(tx: Tx, invoice: LockedInvoice, { now, frozen }: { now: Instant; frozen: boolean }): Promise<void> {
  const invoiceId = invoice.id;
  const failed = await tx.em.count(PaymentAttempt, { invoiceId, status: 'failed', reason: { $nin: [...NEVER_MADE] } });
  await tx.em.nativeUpdate(Invoice, { id: invoiceId }, { depositTransactionStatus: failed > 0 ? 'failed' : 'not_processed' });
  if (!frozen) await settleWallets(tx, [payingInvoice(invoice, now)]);
  await planPayments(tx, [invoiceId]);
}
