import type { ProviderName } from '../../billing/payment/types.ts';
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

/** Locks what events of a payment are about: its invoice, or the customer whose wallet it went to. */
export async function lockObject(tx: Tx, { vendorId, customerId, invoiceId }: Attempt): Promise<string> {
  await lockCustomerRow(tx, vendorId, customerId, invoiceId === null ? 'no key update' : 'key share');
  if (invoiceId !== null) await lockInvoice(tx, invoiceId);
  return invoiceId ?? customerId;
}
