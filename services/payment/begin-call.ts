import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { MethodRef, ProviderName } from '../../billing/payment/types.ts';
import type { Tx } from '../../db/connect.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { INVOICE_PAID } from '../../db/payment/never-made.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { lockCustomerRow } from '../../db/sql/customer/lock.ts';
import type { Attempt } from '../../db/sql/payment/attempt.ts';
import { lockAttempt } from '../../db/sql/payment/lock-attempt.ts';
import { attemptById } from '../../db/sql/payment/read-attempt.ts';
import { readMethodRef } from '../../db/sql/payment/read-method-ref.ts';
import { updateAttempt } from '../../db/sql/payment/update-attempt.ts';
import { readGate } from '../payment-gate/gate.ts';

/** All that a provider is given for a charge. */
export interface ProviderCall {
  attemptId: string;
  provider: ProviderName;
  key: string;
  reference: string | null;
  /** the invoice, or the contract that a payment gate holds back */
  subject: string;
  method: MethodRef;
  amount: string;
  currency: Currency;
  now: Instant;
  /** when the attempt was opened */
  created: Instant;
  returnUrl: string | null;
  /** since when the provider may have been called: it is asked first; null: it wasn't called */
  calledAt: Instant | null;
  pays: 'invoice' | 'gate';
  /** why nothing waits for this charge any more; null: something does */
  over: 'gate_ended' | typeof INVOICE_PAID | null;
}

/** `ended`: it has its outcome. `given_up`: the customer is not to be charged any more and never was. */
type BeforeCall = ProviderCall | 'ended' | 'given_up';

/**
 * The last check before money moves: the attempt must still be open, and a first charge isn't begun for a customer that
 * was frozen meanwhile, nor for what needs no money any more. Its own transaction notes that from now on the provider
 * may have been called. A provider without keys can't be called, so nothing is noted.
 */
export async function beginCall(
  tx: Tx,
  attemptId: string,
  isConfigured: (provider: ProviderName) => boolean = () => true,
): Promise<BeforeCall> {
  const seen = await attemptById(tx, attemptId);
  if (seen === null) return 'ended';
  const customer = await lockCustomerRow(tx, seen.vendorId, seen.customerId, 'key share');
  const attempt = await lockAttempt(tx, attemptId);
  if (attempt === null || attempt.status !== 'processing') return 'ended';
  const { calledAt } = attempt;
  const over = await whyOver(tx, attempt);
  if (calledAt === null && (customer?.status !== 'active' || over !== null)) return 'given_up';
  const method = attempt.methodId === null ? null : await readMethodRef(tx, attempt.methodId);
  if (method === null) throw new Error(`payment attempt ${attemptId} has no method`);
  const now = await nowOf(tx, attempt.clockId);
  if (calledAt === null && isConfigured(attempt.provider)) await updateAttempt(tx, attemptId, { calledAt: Date.now() });
  const { provider, providerKey: key, reference, amount, currency, created, returnUrl } = attempt;
  const subject = attempt.invoiceId ?? attempt.gateId ?? attemptId;
  const pays = attempt.invoiceId === null ? 'gate' : 'invoice';
  return { attemptId, provider, key, reference, subject, method, amount, currency, now, created, returnUrl, calledAt, pays, over };
}

/**
 * A gate doesn't wait for the attempt when it has ended, or another method was chosen; an invoice doesn't when it is
 * paid: money came late for an attempt that had been recorded as failed.
 */
async function whyOver(tx: Tx, { invoiceId, gateId, methodId }: Attempt): Promise<ProviderCall['over']> {
  if (invoiceId !== null) return (await tx.em.count(Invoice, { id: invoiceId, status: 'ready_for_payment' })) > 0 ? null : INVOICE_PAID;
  const gate = gateId === null ? null : await readGate(tx, gateId);
  return gate?.status === 'waiting' && gate.methodId === methodId ? null : 'gate_ended';
}
