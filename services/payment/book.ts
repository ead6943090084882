import type { Instant } from '../../billing/calendar/instant.ts';
import type { Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import type { Attempt } from '../../db/sql/payment/attempt.ts';
import { paymentEntry } from '../ledger/entries.ts';
import { post } from '../ledger/post.ts';

/** Books money that came in for an attempt; the attempt's id makes it once. */
export async function bookPayment(
  tx: Tx,
  attempt: Pick<Attempt, 'id' | 'vendorId' | 'customerId' | 'invoiceId' | 'currency' | 'provider' | 'amount'>,
  at: Instant,
): Promise<string> {
  const { vendorId, customerId, invoiceId, currency } = attempt;
  const id = newId('Txn');
  await post(tx, [
    paymentEntry({ id, vendorId, customerId, invoiceId, currency, occasion: attempt.id, at }, attempt.provider, attempt.amount),
  ]);
  return id;
}
