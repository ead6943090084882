import type { Notice, ProviderName } from '../../billing/payment/types.ts';
import { PaymentRefund } from '../../db/entities/payment.ts';
import { newId } from '../../db/id.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import { lockAttempt } from '../../db/sql/payment/lock-attempt.ts';
import type { Tx } from '../../db/transaction.ts';
import { attemptKey } from '../../payments/attempt-key.ts';
import { recordRefund } from '../credit-note/refund.ts';
import { outsideRefundEntry, outsideRefundFailedEntry } from '../ledger/entries.ts';
import { post } from '../ledger/post.ts';
import { chargedAttempt, lockObject } from './noted-attempt.ts';
import { recordAttempt } from './record-attempt.ts';

type RefundNotice = Extract<Notice, { type: 'refund' }>;
type VoidNotice = Extract<Notice, { type: 'void' }>;

/**
 * Our own refunds are recorded where they are made: of them only a failure is news. One with a key that we don't know
 * was made by somebody else, or before our database was restored.
 */
export async function noteRefund(tx: Tx, provider: ProviderName, notice: RefundNotice): Promise<void> {
  const own = await ownRefund(tx, provider, notice);
  if (own === null) return noteOutsideRefund(tx, provider, notice);
  if (notice.failure !== null) await recordRefund(tx, own, { status: 'failed', reason: notice.failure });
}

/** By its key; one that is only a part of the id is looked for among the refunds of the charge. */
async function ownRefund({ em }: Tx, provider: ProviderName, { key, chargeReference }: RefundNotice): Promise<string | null> {
  if (key === null) return null;
  if ((await em.count(PaymentRefund, { id: key, attempt: { provider } })) > 0) return key;
  const ofCharge = await em.find(PaymentRefund, { attempt: { provider, reference: chargeReference } }, { fields: ['id'] });
  return ofCharge.find(({ id }) => attemptKey(provider, id) === key)?.id ?? null;
}

/**
 * A charge that was voided at the provider before it was settled: a refund of all of it where it was recorded as made,
 * the end of one that the provider still held for review.
 */
export async function noteVoid(tx: Tx, provider: ProviderName, notice: VoidNotice, retryDays: readonly number[]): Promise<void> {
  const meant = await chargedAttempt(tx, provider, notice);
  if (meant === null) return;
  await lockObject(tx, meant);
  const attempt = (await lockAttempt(tx, meant.id)) ?? meant;
  const { at, chargeReference } = notice;
  if (attempt.status === 'succeeded') {
    const { amount, currency } = attempt;
    return noteOutsideRefund(tx, provider, { at, chargeReference, reference: chargeReference, amount, currency, failure: null });
  }
  const outcome = { status: 'failed', reference: chargeReference, reason: 'voided', retryable: true } as const;
  await recordAttempt(tx, attempt.id, outcome, retryDays);
}

/**
 * A refund that was made directly at the provider: a loss, until it fails. One that is reported as failed before
 * anything else was no loss at any time.
 */
async function noteOutsideRefund(tx: Tx, provider: ProviderName, notice: Omit<RefundNotice, 'id' | 'type' | 'key'>): Promise<void> {
  const attempt = await chargedAttempt(tx, provider, notice);
  if (attempt === null) return;
  const { vendorId, customerId, invoiceId } = attempt;
  const { amount, reference, failure } = notice;
  const currency = notice.currency ?? attempt.currency;
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
