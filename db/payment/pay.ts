import type { ProviderName } from '../../billing/payment/types.ts';
import type { Tx } from '../connect.ts';
import { holdForChange } from '../credit-note/create.ts';
import { publish } from '../event/publish.ts';
import { Refusal } from '../refusal.ts';
import { settleWallets, turnsOfCustomer } from '../wallet/settle.ts';
import { recordWishes } from '../wish/record.ts';
import { insertAttempt } from './attempt.ts';
import { type KeyOf, openForCharge } from './claim.ts';
import { type HeldInvoice, holdInvoice } from './held-invoice.ts';
import { readMethod } from './method.ts';
import { wakePayment } from './plan.ts';
import { bookPayment, payInvoice } from './record.ts';

/** Pay by a method, or note what the vendor received by its own means; neither named: the default method, else what `reference` tells. */
export interface PayRequest {
  method: string | 'manual' | null;
  reference: string | null;
}

export interface Paid {
  /** the attempt that was opened; null when the wallet or the vendor's own means paid at once */
  attemptId: string | null;
  wishes: string[];
}

/**
 * Pays an invoice because somebody asks for it. The wallet pays first, the rest is charged or recorded.
 *
 * @throws Refusal `invoice_not_found`, `invoice_state`, `payment_in_progress`, `payment_method_not_found`, `payment_method_state`
 */
export async function payOnRequest(tx: Tx, vendorId: string, invoiceId: string, request: PayRequest, keyOf: KeyOf): Promise<Paid> {
  const held = await holdForChange(tx, vendorId, invoiceId);
  if (held.invoice.status !== 'ready_for_payment') throw new Refusal('invoice_state', `the invoice is ${wordOf(held.invoice)}`);
  const method = await chosen(tx, held.invoice, request);
  await settleWallets(tx, await turnsOfCustomer(tx, vendorId, held.invoice.customerId, held.now));
  const invoice = await holdInvoice(tx, invoiceId);
  if (invoice === null || invoice.status !== 'ready_for_payment') return { attemptId: null, wishes: [] };
  if (method === null) {
    await recordByHand(tx, invoice, request.reference, held.now);
    return { attemptId: null, wishes: [] };
  }
  const attemptId = await openForCharge(tx, { invoice, method, origin: 'request', now: held.now, keyOf });
  return { attemptId, wishes: await recordWishes(tx, [wakePayment(invoiceId)]) };
}

const wordOf = ({ status, voided }: HeldInvoice): string => (voided ? 'voided' : status.replaceAll('_', ' '));

/** The method to charge; null: recorded by hand. */
async function chosen(
  tx: Tx,
  invoice: HeldInvoice,
  { method, reference }: PayRequest,
): Promise<{ id: string; provider: ProviderName } | null> {
  if (method === 'manual') return null;
  const [customer] = await tx.query<{ selection: string; status: string }>(
    'select default_payment as selection, status from customer where id = $1',
    [invoice.customerId],
  );
  const selection = method ?? customer?.selection ?? 'none';
  if (selection === 'none' || selection === 'manual') {
    if (reference !== null) return null;
    throw new Refusal('payment_method_state', 'the customer has no default payment method; name one, or manual with a reference');
  }
  if (customer?.status !== 'active') throw new Refusal('invoice_state', 'the customer is not active and cannot be charged');
  const found = await readMethod(tx, invoice.vendorId, invoice.customerId, selection);
  if (found === null) throw new Refusal('payment_method_not_found', 'this customer has no such payment method');
  if (found.status !== 'active') throw new Refusal('payment_method_state', `the payment method is ${found.status}`);
  return found;
}

async function recordByHand(tx: Tx, invoice: HeldInvoice, reference: string | null, now: number): Promise<void> {
  const { id: invoiceId, vendorId, customerId, clockId, currency, amountDue: amount } = invoice;
  const attempt = { vendorId, customerId, invoiceId, clockId, currency, amount, provider: 'self_handled' as const };
  const recorded = { reference };
  const id = await insertAttempt(tx, { ...attempt, methodId: null, origin: 'recorded', created: now, keyOf: (self) => self, recorded });
  const transactionId = await bookPayment(tx, { ...attempt, id }, now);
  await tx.query('update payment_attempt set ledger_transaction_id = $2 where id = $1', [id, transactionId]);
  const data = { payment_id: id, customer_id: customerId, payment_method_id: null, amount, currency };
  await publish(tx, [{ vendorId, type: 'v1.payment.succeeded', objectId: invoiceId, at: now, data }]);
  await payInvoice(tx, { invoice, amount, transactionId, now, occasion: id });
}
