import { initialState } from '../../billing/lifecycle/machine.ts';
import { paymentAttemptMachine } from '../../billing/lifecycle/payment-attempt.ts';
import { dec } from '../../billing/money/decimal.ts';
import type { ProviderName } from '../../billing/payment/types.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { count } from '../../db/counted.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { keepFailures } from '../../db/sql/figure/keep-failures.ts';
import { insertAttempts } from '../../db/sql/payment/insert-attempts.ts';
import { type LockedInvoice, lockInvoice } from '../../db/sql/payment/lock-invoice.ts';
import { readPayer } from '../../db/sql/payment/read-payer.ts';
import { updateAttempt } from '../../db/sql/payment/update-attempt.ts';
import { lockForChange } from '../credit-note/create.ts';
import { recordPortalAct } from '../customer/history.ts';
import { refuseWhilePaying } from '../wallet/rest.ts';
import { payingInvoice, settleWallets } from '../wallet/settle.ts';
import { bookPayment } from './book.ts';
import { openAttempts } from './open-attempt.ts';
import { payInvoice } from './record.ts';

/**
 * Pay by a method, or note what the vendor received by its own means; neither named: the default method, else what
 * `reference` says.
 */
export interface PayRequest {
  method: string | 'manual' | null;
  reference: string | null;
  /** where the customer who waits comes back to after confirming at the bank; absent: no customer waits */
  returnUrl?: string;
  /** what the customer has agreed to: more isn't charged */
  atMost?: string;
}

/**
 * Pays an invoice on request. The wallet pays first, the rest is charged or recorded.
 *
 * @throws Refusal `invoice_not_found`, `invoice_state`, `payment_in_progress`, `payment_method_not_found`,
 *   `payment_method_state`, `estimate_outdated`
 * @returns the attempt that was opened; null when the wallet or the vendor's own means paid at once
 */
export async function payOnRequest(
  tx: Tx,
  vendorId: string,
  invoiceId: string,
  request: PayRequest,
  requireProvider: (name: ProviderName) => void,
): Promise<string | null> {
  const locked = await lockForChange(tx, vendorId, invoiceId);
  if (locked.invoice.status !== 'ready_for_payment')
    throw new Refusal('invoice_state', `the invoice is ${locked.invoice.status.replaceAll('_', ' ')}`);
  await refuseWhilePaying(tx, locked.invoice);
  const method = await chosen(tx, locked.invoice, request);
  const { customerId } = locked.invoice;
  await recordPortalAct(tx, { customerId, kind: 'payment_requested', object: invoiceId, at: locked.now });
  const paid = await settleWallets(tx, [payingInvoice(locked.invoice, locked.now)]);
  const invoice = paid.length === 0 ? locked.invoice : await lockInvoice(tx, invoiceId);
  if (invoice === null || invoice.status !== 'ready_for_payment') return null;
  if (method === null) {
    await recordByHand(tx, invoice, request.reference, locked.now);
    return null;
  }
  requireProvider(method.provider);
  if (request.atMost !== undefined && dec(invoice.amountDue).gt(dec(request.atMost)))
    throw new Refusal('estimate_outdated', `More than ${request.atMost} is due of the invoice.`);
  const { returnUrl = null } = request;
  const [attemptId] = await openAttempts(tx, [{ invoice, method, origin: 'request', now: locked.now, returnUrl }]);
  return attemptId ?? null;
}

/** The method to charge; null: recorded by hand. */
async function chosen(
  tx: Tx,
  invoice: LockedInvoice,
  { method, reference }: PayRequest,
): Promise<{ id: string; provider: ProviderName } | null> {
  if (method === 'manual') return null;
  const payer = await readPayer(tx, invoice, method);
  if (payer === null) throw new Error(`there is no customer of the invoice ${invoice.id}`);
  const selection = method ?? payer.defaultPayment;
  if (selection === 'none' || selection === 'manual') {
    if (reference !== null) return null;
    throw new Refusal('payment_method_state', 'the customer has no default payment method; name one, or manual with a reference');
  }
  if (payer.customerStatus !== 'active') throw new Refusal('invoice_state', 'the customer is not active and cannot be charged');
  const { method: found } = payer;
  if (found === null) throw new Refusal('payment_method_not_found', 'this customer has no such payment method');
  if (found.status !== 'active') throw new Refusal('payment_method_state', `the payment method is ${found.status}`);
  return found;
}

async function recordByHand(tx: Tx, invoice: LockedInvoice, reference: string | null, now: number): Promise<void> {
  const { id: invoiceId, vendorId, customerId, contractId, clockId, currency, amountDue: amount } = invoice;
  const attempt = { vendorId, customerId, invoiceId, clockId, currency, amount, provider: 'self_handled' as const };
  const recorded = { reference };
  const status = initialState(paymentAttemptMachine, 'record');
  const [id = ''] = await insertAttempts(tx, [
    { ...attempt, status, methodId: null, origin: 'recorded', created: now, keyOf: (self) => self, recorded },
  ]);
  const transactionId = await bookPayment(tx, { ...attempt, id }, now);
  await updateAttempt(tx, id, { ledgerTransactionId: transactionId });
  await keepFailures(tx, invoice, id, null);
  const data = { payment_id: id, customer_id: customerId, payment_method_id: null, amount, currency };
  count(tx, 'payments', { provider: attempt.provider, outcome: 'succeeded' });
  await publish(tx, [{ vendorId, type: 'v1.payment.succeeded', objectId: invoiceId, contractId, at: now, data }]);
  await payInvoice(tx, { invoice, amount, transactionId, now, occasion: id });
}
