import { type Instant, MINUTE } from '../../billing/calendar/instant.ts';
import type { ProviderName } from '../../billing/payment/types.ts';
import { Refusal } from '../../billing/refusal.ts';
import { PaymentAttempt } from '../../db/entities/payment.ts';
import { lockCustomerRow } from '../../db/sql/customer/lock.ts';
import type { Attempt } from '../../db/sql/payment/attempt.ts';
import { lockInvoice } from '../../db/sql/payment/lock-invoice.ts';
import type { Tx } from '../../db/transaction.ts';

/** The attempt a provider means: by the key we gave it, else by its own reference. */
export async function attemptMeant({ em }: Tx, provider: ProviderName, reference: string, key: string | null): Promise<Attempt | null> {
  const byKey = key === null ? null : await em.findOne(PaymentAttempt, { provider, providerKey: key });
  return byKey ?? em.findOne(PaymentAttempt, { provider, reference });
}

/** The provider's clock may be behind ours, so a notice may seem older than the call that made its charge. */
const BEHIND = 5 * MINUTE;
/** Seconds after which most charges have their outcome. */
const RETRY_AFTER = 60;

/**
 * The attempt whose charge a notice is about; null: none of ours. An attempt doesn't know its charge until its outcome
 * is recorded, so a notice that may be about such an attempt is refused, and the provider sends it again. Attempts
 * called after the notice can't be meant, so a notice about a charge of somebody else is refused only until the earlier
 * attempts have their outcomes.
 *
 * @throws Refusal `payment_in_progress`
 */
export async function chargedAttempt(
  tx: Tx,
  provider: ProviderName,
  { at, chargeReference }: { at: Instant; chargeReference: string },
): Promise<Attempt | null> {
  const waits = { provider, status: 'processing', reference: null, calledAt: { $lte: at + BEHIND } } as const;
  // asked first: an outcome that is recorded meanwhile is found by the second question
  const mayWait = (await tx.em.count(PaymentAttempt, waits)) > 0;
  const attempt = await attemptMeant(tx, provider, chargeReference, null);
  if (attempt === null && mayWait)
    throw new Refusal('payment_in_progress', 'the charge may be one whose outcome is not known yet', {}, { retryAfter: RETRY_AFTER });
  return attempt;
}

/** Locks what events of a payment are about: its invoice, or the customer whose wallet it went to. */
export async function lockObject(tx: Tx, { vendorId, customerId, invoiceId }: Attempt): Promise<string> {
  await lockCustomerRow(tx, vendorId, customerId, invoiceId === null ? 'no key update' : 'key share');
  if (invoiceId !== null) await lockInvoice(tx, invoiceId);
  return invoiceId ?? customerId;
}
