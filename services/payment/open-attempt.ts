import type { Instant } from '../../billing/calendar/instant.ts';
import { initialState } from '../../billing/lifecycle/machine.ts';
import { paymentAttemptMachine } from '../../billing/lifecycle/payment-attempt.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { ProviderName } from '../../billing/payment/types.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { insertAttempts } from '../../db/sql/payment/insert-attempts.ts';
import { noteProcessing } from '../../db/sql/payment/note-processing.ts';
import type { Tx } from '../../db/transaction.ts';
import { attemptKey } from '../../payments/attempt-key.ts';
import { enqueue } from '../../temporal/message-kinds.ts';

/** An invoice to charge, with the method that pays it. */
export interface NewCharge {
  invoice: { id: string; vendorId: string; customerId: string; clockId: string | null; currency: Currency; amountDue: string };
  method: { id: string; provider: ProviderName };
  origin: 'automatic' | 'request';
  now: Instant;
  /** where the customer who waits comes back to after confirming at the bank */
  returnUrl?: string | null;
}

/**
 * Opens the one attempt of each invoice and enqueues its workflow. From here on nothing else pays the invoice until its
 * attempt has ended; a second open attempt of an invoice is refused by the database.
 *
 * @returns the attempts' ids, in the order given
 */
export async function openAttempts(tx: Tx, charges: readonly NewCharge[]): Promise<string[]> {
  if (charges.length === 0) return [];
  const ids = await openFirstAttempts(tx, charges);
  await noteProcessing(
    tx,
    charges.map(({ invoice }) => invoice.id),
  );
  return ids;
}

/**
 * The same for invoices that the transaction is about to write: their rows are written as those of invoices that are
 * being charged.
 */
export async function openFirstAttempts(tx: Tx, charges: readonly NewCharge[]): Promise<string[]> {
  if (charges.length === 0) return [];
  const ids = await insertAttempts(
    tx,
    charges.map(({ invoice, method, origin, now, returnUrl = null }) => ({
      vendorId: invoice.vendorId,
      customerId: invoice.customerId,
      invoiceId: invoice.id,
      clockId: invoice.clockId,
      currency: invoice.currency,
      amount: invoice.amountDue,
      methodId: method.id,
      provider: method.provider,
      origin,
      status: initialState(paymentAttemptMachine, 'charge'),
      created: now,
      returnUrl,
      keyOf: (attemptId) => attemptKey(method.provider, attemptId),
    })),
  );
  await publish(
    tx,
    charges.map(({ invoice, method, now }, at) => ({
      vendorId: invoice.vendorId,
      type: 'v1.payment.started',
      objectId: invoice.id,
      at: now,
      data: {
        payment_id: ids[at],
        customer_id: invoice.customerId,
        payment_method_id: method.id,
        amount: invoice.amountDue,
        currency: invoice.currency,
      },
    })),
  );
  for (const id of ids) enqueue(tx, 'payment', id);
  return ids;
}
