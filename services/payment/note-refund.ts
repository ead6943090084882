import type { Notice, ProviderName } from '../../billing/payment/types.ts';
import { PaymentRefund } from '../../db/entities/payment.ts';
import { newId } from '../../db/id.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import type { Tx } from '../../db/transaction.ts';
import { recordRefund } from '../credit-note/refund.ts';
import { outsideRefundEntry, outsideRefundFailedEntry } from '../ledger/entries.ts';
import { post } from '../ledger/post.ts';
import { chargedAttempt, lockObject } from './noted-attempt.ts';

type RefundNotice = Extract<Notice, { type: 'refund' }>;

/**
 * Our own refunds are recorded where they are made: of them only a failure is news. One with a key that we don't know
 * was made by somebody else, or before our database was restored.
 */
export async function noteRefund(tx: Tx, provider: ProviderName, notice: RefundNotice): Promise<void> {
  const { key, failure } = notice;
  const isOurs = key !== null && (await tx.em.count(PaymentRefund, { id: key, attempt: { provider } })) > 0;
  if (!isOurs) return noteOutsideRefund(tx, provider, notice);
  if (failure !== null) await recordRefund(tx, key, { status: 'failed', reason: failure });
}

/**
 * A refund that was made directly at the provider: a loss, until it fails. One that is reported as failed before
 * anything else was no loss at any time.
 */
async function noteOutsideRefund(tx: Tx, provider: ProviderName, notice: RefundNotice): Promise<void> {
  const attempt = await chargedAttempt(tx, provider, notice);
  if (attempt === null) return;
  const { vendorId, customerId, invoiceId } = attempt;
  const { currency, amount, reference, failure } = notice;
  const objectId = await lockObject(tx, attempt);
  const at = await nowOf(tx, attempt.clockId);
  const occurrence = { id: newId('Txn'), vendorId, customerId, currency, occasion: `${provider}:${reference}`, invoiceId, at };
  const known = await tx.em.findOne(PaymentRefund, { attempt: attempt.id, reference }, FOR_UPDATE);
  if (known !== null) {
    if (failure === null || known.status === 'failed') return;
    tx.em.assign(known, { status: 'failed', reason: failure, ended: at });
    await tx.em.flush();
    return post(tx, [outsideRefundFailedEntry(occurrence, provider, amount)]);
  }
  const id = newId('Ref');
  const outcome = { status: failure === null ? ('succeeded' as const) : ('failed' as const), reason: failure };
  tx.em.create(PaymentRefund, {
    ...{ id, vendorId, customer: customerId, attempt, amount, currency, reference, created: at, ended: at },
    ...outcome,
  });
  await tx.em.flush();
  if (failure !== null) return;
  const data = { refund_id: id, payment_id: attempt.id, credit_note_id: null, customer_id: customerId, amount, currency };
  await publish(tx, [{ vendorId, type: 'v1.refund.created', objectId, at, data }]);
  await post(tx, [outsideRefundEntry(occurrence, provider, amount)]);
}
