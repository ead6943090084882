import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { type Decimal, dec, larger, smaller, sum, ZERO } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { MethodRef, ProviderName, RefundOutcome } from '../../billing/payment/types.ts';
import type { Tx } from '../../db/connect.ts';
import { PaymentAttempt, PaymentDispute, PaymentRefund, type PaymentRefundRecord } from '../../db/entities/payment.ts';
import { PaymentMethod } from '../../db/entities/payment-method.ts';
import { newId } from '../../db/id.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import type { LockedInvoice } from '../../db/sql/payment/lock-invoice.ts';
import { lockMoney } from '../../db/wallet/lock-money.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { lockCustomer } from '../customer/lock.ts';
import { refundEntry, refundFailedEntry } from '../ledger/entries.ts';
import { post } from '../ledger/post.ts';
import { settleWallets } from '../wallet/settle.ts';

/** A payment of an invoice, with what is left of it. */
export interface Refundable {
  id: string;
  provider: ProviderName;
  /** null: the vendor received it by its own means */
  methodId: string | null;
  amount: string;
  /** what the provider gave back of it without a note of ours, or holds back or kept in a dispute */
  takenBack: string;
  left: string;
}

interface Refunds {
  creditNoteId: string;
  invoice: LockedInvoice;
  amount: string;
  now: Instant;
}

/** Splits what goes back over the payments of the invoice, newest first, each up to what it brought in. */
export async function openRefunds(tx: Tx, { creditNoteId, invoice, amount, now }: Refunds): Promise<void> {
  if (!dec(amount).gt(0)) return;
  const { vendorId, customerId, currency } = invoice;
  const payments = await refundable(tx.em, invoice.id);
  for (const { payment, amount: value } of refundsOf(payments, amount, currency)) {
    const id = newId('Ref');
    const owner = { vendorId, customer: customerId, attempt: payment.id, creditNote: creditNoteId };
    tx.em.create(PaymentRefund, { id, ...owner, amount: value, currency, status: 'processing', created: now });
    await tx.em.flush();
    await post(tx, [
      refundEntry(
        { id: newId('Txn'), vendorId, customerId, currency, occasion: id, invoiceId: invoice.id, at: now },
        payment.provider,
        value,
      ),
    ]);
    const data = { refund_id: id, payment_id: payment.id, credit_note_id: creditNoteId, customer_id: customerId, amount: value, currency };
    await publish(tx, [{ vendorId, type: 'v1.refund.created', objectId: invoice.id, at: now, data }]);
    enqueue(tx, 'refund', id);
  }
}

/** What goes back by which payment: the newest first, each up to what is left of it. */
export function refundsOf(payments: readonly Refundable[], amount: string, currency: Currency): { payment: Refundable; amount: string }[] {
  let left = dec(amount);
  const refunds = payments.flatMap((payment) => {
    const part = smaller(left, dec(payment.left));
    left = left.minus(part);
    return part.gt(0) ? [{ payment, amount: moneyText(part, currency) }] : [];
  });
  if (left.gt(0)) throw new Error(`${amount} is more than the payments ${payments.map(({ id }) => id).join(', ')} brought in`);
  return refunds;
}

/** The payments of an invoice, newest first, with what is left of each. */
export async function refundable(em: EntityManager, invoiceId: string): Promise<Refundable[]> {
  const newestFirst = { ended: 'desc', id: 'desc' } as const;
  const payments = await em.find(PaymentAttempt, { invoiceId, status: 'succeeded' }, { orderBy: newestFirst });
  const ofThese = { attempt: { $in: payments.map(({ id }) => id) } };
  const refunds = await em.find(PaymentRefund, { ...ofThese, status: { $ne: 'failed' } });
  const disputes = await em.find(PaymentDispute, { ...ofThese, state: { $ne: 'won' } });
  const ours = amountsOf(refunds.filter(({ creditNote }) => creditNote !== null));
  const others = amountsOf([...refunds.filter(({ creditNote }) => creditNote === null), ...disputes]);
  return payments.map(({ id, provider, methodId, amount }) => {
    const kept = dec(amount).minus(ours(id));
    // money that we gave back may be disputed too
    const left = larger(kept.minus(others(id)), ZERO);
    return { id, provider, methodId, amount, takenBack: kept.minus(left).toFixed(), left: left.toFixed() };
  });
}

/** The sum by payment. */
function amountsOf(parts: readonly { attempt: { id: string }; amount: string }[]): (attemptId: string) => Decimal {
  const byAttempt = Map.groupBy(parts, ({ attempt }) => attempt.id);
  return (attemptId) => sum((byAttempt.get(attemptId) ?? []).map(({ amount }) => dec(amount)));
}

interface OpenRefund {
  key: string;
  provider: ProviderName;
  /** the provider's id of the charge */
  reference: string;
  method: MethodRef;
  amount: string;
  currency: Currency;
}

/** A refund the provider has still to make. */
export async function openRefund(em: EntityManager, id: string): Promise<OpenRefund | null> {
  const refund = await em.findOne(PaymentRefund, { id, status: 'processing' }, { populate: ['attempt'] });
  if (refund === null) return null;
  const { provider, reference, id: attemptId, methodId } = refund.attempt.$;
  const method = methodId === null ? null : await em.findOne(PaymentMethod, { id: methodId });
  return {
    key: id,
    provider,
    reference: reference ?? attemptId,
    method: { reference: method?.reference ?? '', customerReference: method?.customerReference ?? null },
    amount: refund.amount,
    currency: refund.currency,
  };
}

/**
 * Writes what became of a refund, as its workflow or a notice of the provider reports it. One the provider can't make
 * goes to the wallet, also when its bank says so days after it seemed made: the money is owed in any case. The customer
 * is locked against a freeze and its end, since one of them decides whether the wallet pays.
 */
export async function recordRefund(tx: Tx, id: string, outcome: RefundOutcome): Promise<void> {
  const { em } = tx;
  const about = await em.findOne(PaymentRefund, { id }, { fields: ['vendorId', 'customer', 'currency'], disableIdentityMap: true });
  if (about === null) return;
  const { vendorId, currency } = about;
  const customerId = about.customer.id;
  const { status } = await lockCustomer(tx, vendorId, customerId, { frozen: 'allow', advancing: 'allow' });
  await lockMoney(tx, [{ customerId, currency }]);
  const takes: PaymentRefundRecord['status'][] = outcome.status === 'failed' ? ['processing', 'succeeded'] : ['processing'];
  const refund = await em.findOne(PaymentRefund, { id, status: { $in: takes } }, FOR_UPDATE);
  if (refund === null) return;
  const { amount } = refund;
  const attempt = await refund.attempt.loadOrFail();
  const { invoiceId } = attempt;
  const at = await nowOf(tx, attempt.clockId);
  const reference = outcome.status === 'succeeded' ? outcome.reference : refund.reference;
  const reason = outcome.status === 'failed' ? outcome.reason : null;
  em.assign(refund, { status: outcome.status, reference, reason, ended: at });
  await em.flush();
  if (outcome.status === 'succeeded') return;
  await post(tx, [
    refundFailedEntry({ id: newId('Txn'), vendorId, customerId, currency, occasion: id, invoiceId, at }, attempt.provider, amount),
  ]);
  const credit = { amount, description: 'Refund that could not be made', invoiceId, kind: 'refund' as const, occasion: `refund:${id}`, at };
  await settleWallets(tx, [{ vendorId, customerId, currency, at, credits: [credit], newInvoices: [], pays: status !== 'inactive' }]);
}
