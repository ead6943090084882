import type { Instant } from '../../billing/calendar/instant.ts';
import type { MoneyEventType } from '../../billing/event-types.ts';
import { next } from '../../billing/lifecycle/machine.ts';
import { paymentAttemptMachine } from '../../billing/lifecycle/payment-attempt.ts';
import { dec, smaller } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { ChargeOutcome } from '../../billing/payment/types.ts';
import type { Tx } from '../../db/connect.ts';
import { count } from '../../db/counted.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { PaymentAttempt } from '../../db/entities/payment.ts';
import { stamp } from '../../db/rows.ts';
import { upsertAgenda } from '../../db/sql/agenda/upsert.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { lockCustomerRow } from '../../db/sql/customer/lock.ts';
import { type PublishedEvent, publish } from '../../db/sql/event/publish.ts';
import { keepFailures } from '../../db/sql/figure/keep-failures.ts';
import type { AttemptOfInvoice } from '../../db/sql/payment/attempt.ts';
import { lockAttempt } from '../../db/sql/payment/lock-attempt.ts';
import { type LockedInvoice, lockInvoice } from '../../db/sql/payment/lock-invoice.ts';
import { payInvoiceRow } from '../../db/sql/payment/pay-invoice.ts';
import { attemptById } from '../../db/sql/payment/read-attempt.ts';
import { updateAttempt } from '../../db/sql/payment/update-attempt.ts';
import { enqueue, enqueueWaiting } from '../../temporal/message-kinds.ts';
import { grantBought } from '../credit/bought.ts';
import { endFailedPurchase } from '../credit/end-failed.ts';
import { startTopUpsAgain } from '../credit/start-again.ts';
import { isCustomerFrozen } from '../customer/is-frozen.ts';
import { type NewEmail, queueEmails } from '../email/queue.ts';
import { recordGateOutcome } from '../payment-gate/record.ts';
import { payingInvoice, settleWallets } from '../wallet/settle.ts';
import { bookPayment } from './book.ts';
import { noteFailure } from './dunning.ts';
import { planPayments } from './plan.ts';
import { stopCollecting } from './stop-collecting.ts';
import { takesOutcome } from './triggers.ts';

/**
 * Writes what became of a charge, as its workflow or a notice of the provider reports it: both, in any order, any
 * number of times. Money that was taken is always booked, once; a failure reported after a success is ignored.
 */
export async function recordOutcome(tx: Tx, attemptId: string, outcome: ChargeOutcome, retryDays: readonly number[]): Promise<void> {
  const seen = await attemptById(tx, attemptId);
  if (seen === null) throw new Error(`there is no payment attempt ${attemptId}`);
  if (seen.gateId !== null) return recordGateOutcome(tx, { ...seen, gateId: seen.gateId }, outcome);
  const customer = await lockCustomerRow(tx, seen.vendorId, seen.customerId, 'key share');
  const invoice = await lockInvoice(tx, seen.invoiceId ?? '');
  const locked = await lockAttempt(tx, attemptId);
  if (invoice === null || locked === null) throw new Error(`payment attempt ${attemptId} has no invoice`);
  const attempt = { ...locked, invoiceId: invoice.id };
  const now = await nowOf(tx, attempt.clockId);
  if (!takesOutcome(attempt, outcome)) return;
  if (outcome.status === 'succeeded') return recordSuccess(tx, attempt, invoice, outcome.reference, now);
  if (outcome.status === 'pending') return recordPatience(tx, attempt, invoice, outcome, now);
  return recordFailure(tx, attempt, invoice, outcome, { retryDays, now, frozen: customer?.status === 'inactive' });
}

/**
 * Books a success, even after a failure was recorded: the provider took the money in the end. What the invoice doesn't
 * need goes to the wallet. An attempt that was opened meanwhile is looked at at once, since it may have nothing to pay
 * any more.
 */
async function recordSuccess(tx: Tx, attempt: AttemptOfInvoice, invoice: LockedInvoice, reference: string, now: Instant): Promise<void> {
  const transactionId = await bookPayment(tx, attempt, now);
  const status = next(paymentAttemptMachine, attempt.status, 'confirm');
  await updateAttempt(tx, attempt.id, { status, reason: null, reference, askAt: null, ended: now, ledgerTransactionId: transactionId });
  await keepFailures(tx, invoice, attempt.id, attempt);
  count(tx, 'payments', { provider: attempt.provider, outcome: 'succeeded' });
  await publish(tx, [eventOf(attempt, invoice, { type: 'v1.payment.succeeded', at: now })]);
  await payInvoice(tx, { invoice, amount: attempt.amount, transactionId, now, occasion: attempt.id });
  if (attempt.status === 'failed') for (const id of await openAttemptsOf(tx, invoice.id)) enqueue(tx, 'payment', id);
  await startTopUpsAgain(tx, attempt);
}

async function openAttemptsOf({ em }: Tx, invoiceId: string): Promise<string[]> {
  const open = await em.find(PaymentAttempt, { invoiceId, status: 'processing' }, { fields: ['id'] });
  return open.map(({ id }) => id);
}

export interface InvoicePayment {
  invoice: LockedInvoice;
  amount: string;
  transactionId: string;
  now: Instant;
  occasion: string;
}

/** Lets money that came in pay an invoice that is locked; what is too much goes to the wallet. */
export async function payInvoice(tx: Tx, { invoice, amount, transactionId, now, occasion }: InvoicePayment): Promise<void> {
  const { id, currency, vendorId, customerId, contractId } = invoice;
  const paid = smaller(dec(amount), dec(invoice.amountDue));
  const remaining = moneyText(dec(invoice.amountDue).minus(paid), currency);
  const settled = dec(remaining).isZero();
  await payInvoiceRow(tx, { invoiceId: id, remaining, settled, now, transactionId });
  if (settled) await stopCollecting(tx, [id]);
  if (settled && dec(invoice.amountDue).gt(0)) {
    await publish(tx, [
      { vendorId, type: 'v1.invoice.paid', objectId: id, contractId, at: now, data: { customer_id: customerId, contract_id: contractId } },
    ]);
    await queueEmails(tx, [{ customerId, kind: 'receipt', objectId: id }]);
    if (invoice.contractId === null) await settleWallets(tx, await grantBought(tx, [id], now));
  }
  const surplus = dec(amount).minus(paid);
  if (!surplus.gt(0)) return;
  const credit = { amount: moneyText(surplus, currency), description: 'Payment beyond what was due', invoiceId: id, at: now };
  const credits = [{ ...credit, kind: 'refund' as const, occasion: `overpaid:${occasion}` }];
  const pays = !(await isCustomerFrozen(tx, customerId));
  await settleWallets(tx, [{ vendorId, customerId, currency, at: now, credits, newInvoices: [], pays }]);
}

/** The provider needs time: the agenda says when it is asked again. */
async function recordPatience(
  tx: Tx,
  attempt: AttemptOfInvoice,
  { contractId, workflowId }: LockedInvoice,
  { reference, askAgainAt, reason }: Extract<ChargeOutcome, { status: 'pending' }>,
  now: Instant,
): Promise<void> {
  const askAt = Math.max(askAgainAt, now + 1);
  await updateAttempt(tx, attempt.id, { reference: reference ?? attempt.reference, askAt, reason: reason ?? null });
  count(tx, 'payments', { provider: attempt.provider, outcome: 'waiting' });
  const { vendorId, customerId, clockId, invoiceId } = attempt;
  const detail = { invoice_id: invoiceId, payment_id: attempt.id, contract_id: contractId };
  const whose = { vendorId, customerId, contractId: null, clockId, workflowId, held: false };
  await upsertAgenda(tx, [{ ...whose, kind: 'payment_answer', subject: invoiceId, dueAt: askAt, detail }]);
  enqueueWaiting(tx, workflowId);
}

/** A failure of an attempt whose invoice was paid by other money meanwhile leaves the invoice as it is. */
async function recordFailure(
  tx: Tx,
  attempt: AttemptOfInvoice,
  invoice: LockedInvoice,
  outcome: Extract<ChargeOutcome, { status: 'failed' }>,
  where: { retryDays: readonly number[]; now: Instant; frozen: boolean },
): Promise<void> {
  const { reference, reason, retryable } = outcome;
  const { now } = where;
  const status = next(paymentAttemptMachine, attempt.status, 'refuse');
  const known = reference ?? attempt.reference;
  await updateAttempt(tx, attempt.id, { status, reason, retryable, reference: known, askAt: null, ended: now });
  await keepFailures(tx, invoice, attempt.id, attempt);
  count(tx, 'payments', { provider: attempt.provider, outcome: 'failed' });
  await tx.em.nativeDelete(Agenda, { kind: 'payment_answer', subject: attempt.invoiceId });
  const again = invoice.status === 'ready_for_payment' ? await retryLater(tx, attempt, invoice, { retryable, ...where }) : null;
  const follows = { next_attempt: again === null ? null : stamp(again), final: again === null };
  await publish(tx, [
    eventOf(
      attempt,
      invoice,
      { type: 'v1.payment.failed', at: now },
      { reason, ...follows, dunning_end: await dunningEndOf(tx, attempt.invoiceId) },
    ),
  ]);
}

/** @returns when the invoice is charged again; null: never by itself */
async function retryLater(
  tx: Tx,
  attempt: AttemptOfInvoice,
  invoice: LockedInvoice,
  { retryable, retryDays, now, frozen }: { retryable: boolean; retryDays: readonly number[]; now: Instant; frozen: boolean },
): Promise<Instant | null> {
  await tx.em.nativeUpdate(Invoice, { id: attempt.invoiceId }, { depositTransactionStatus: 'failed' });
  if (attempt.origin === 'automatic') {
    await noteFailure(tx, attempt, retryable, retryDays, now);
    // its details tell operators that the invoice is unpaid, also where no retry follows
    enqueueWaiting(tx, invoice.workflowId);
  }
  // what the wallet gained while the attempt was open was left to the attempt
  if (!frozen) await settleWallets(tx, [payingInvoice(invoice, now)]);
  const ended = invoice.contractId === null && (await endFailedPurchase(tx, attempt, now));
  if (attempt.origin === 'automatic' && !ended) await queueEmails(tx, [failureEmail(attempt)]);
  return ended ? null : ((await planPayments(tx, [attempt.invoiceId])).get(attempt.invoiceId) ?? null);
}

const failureEmail = ({ id, customerId, invoiceId }: AttemptOfInvoice): NewEmail => ({
  customerId,
  kind: 'payment_failed',
  objectId: invoiceId,
  occasion: id,
  detail: { payment_id: id },
});

/** What follows if the invoice stays unpaid, and when; null: nothing. */
async function dunningEndOf(tx: Tx, invoiceId: string): Promise<{ at: string; action: unknown } | null> {
  const row = await tx.em.findOne(Agenda, { kind: 'dunning_end', subject: invoiceId });
  return row === null ? null : { at: stamp(row.dueAt), action: row.detail.action };
}

function eventOf(
  attempt: AttemptOfInvoice,
  { contractId }: LockedInvoice,
  what: { type: MoneyEventType; at: Instant },
  more: Record<string, unknown> = {},
): PublishedEvent {
  const { id, vendorId, invoiceId, customerId, methodId, amount, currency } = attempt;
  const data = { payment_id: id, customer_id: customerId, payment_method_id: methodId, amount, currency, ...more };
  return { ...what, vendorId, objectId: invoiceId, contractId, data };
}
