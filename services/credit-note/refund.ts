import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, smaller } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { MethodRef, ProviderName, RefundOutcome } from '../../billing/payment/types.ts';
import { nowOf } from '../../db/clock/now.ts';
import type { Queryable, Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import type { HeldInvoice } from '../../db/payment/held-invoice.ts';
import { insertRows, stamp } from '../../db/rows.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { refundEntry, refundFailedEntry } from '../ledger/entries.ts';
import { post } from '../ledger/post.ts';
import { settleWallets } from '../wallet/settle.ts';

interface Refundable {
  id: string;
  provider: ProviderName;
  left: string;
}

interface Refunds {
  creditNoteId: string;
  invoice: HeldInvoice;
  amount: string;
  now: Instant;
}

/** Splits what goes back over the payments of the invoice, newest first, each up to what it brought in. */
export async function openRefunds(tx: Tx, { creditNoteId, invoice, amount, now }: Refunds): Promise<void> {
  let left = dec(amount);
  if (!left.gt(0)) return;
  const { vendorId, customerId, currency } = invoice;
  const payments = await tx.query<Refundable>(
    `select a.id, a.provider, (a.amount - coalesce((select sum(r.amount) from payment_refund r where r.attempt_id = a.id and r.status <> 'failed'), 0))::text as left
     from payment_attempt a where a.invoice_id = $1 and a.status = 'succeeded' order by a.ended desc, a.id desc`,
    [invoice.id],
  );
  for (const payment of payments) {
    const part = smaller(left, dec(payment.left));
    if (!part.gt(0)) continue;
    left = left.minus(part);
    const id = newId('Ref');
    const value = moneyText(part, currency);
    const owner = { vendor_id: vendorId, customer_id: customerId, attempt_id: payment.id, credit_note_id: creditNoteId };
    await insertRows(tx, 'payment_refund', [{ id, ...owner, amount: value, currency, status: 'processing', created: stamp(now) }]);
    await post(tx, [
      refundEntry(
        { id: newId('Txn'), vendorId, customerId, currency, occasion: id, invoiceId: invoice.id, at: now },
        payment.provider,
        value,
      ),
    ]);
    enqueue(tx, 'refund', id);
  }
  if (left.gt(0)) throw new Error(`${amount} is more than the payments of invoice ${invoice.id} brought in`);
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
export async function openRefund(db: Queryable, id: string): Promise<OpenRefund | null> {
  const [row] = await db.query<Omit<OpenRefund, 'method'> & { methodReference: string | null; customerReference: string | null }>(
    `select r.id as key, a.provider, coalesce(a.reference, a.id) as reference, r.amount::text, r.currency, m.reference as "methodReference",
       m.customer_reference as "customerReference"
     from payment_refund r join payment_attempt a on a.id = r.attempt_id left join payment_method m on m.id = a.method_id
     where r.id = $1 and r.status = 'processing'`,
    [id],
  );
  if (row === undefined) return null;
  const { methodReference, customerReference, ...refund } = row;
  return { ...refund, method: { reference: methodReference ?? '', customerReference } };
}

interface RefundRow {
  vendorId: string;
  customerId: string;
  clockId: string | null;
  invoiceId: string;
  provider: ProviderName;
  amount: string;
  currency: Currency;
  pays: boolean;
}

/** Writes what became of a refund. One the provider can't make goes to the wallet: the money is owed in any case. */
export async function recordRefund(tx: Tx, id: string, outcome: RefundOutcome): Promise<void> {
  const [row] = await tx.query<RefundRow>(
    `select r.vendor_id as "vendorId", r.customer_id as "customerId", a.test_clock_id as "clockId", a.invoice_id as "invoiceId", a.provider,
       r.amount::text, r.currency, c.status <> 'inactive' as pays
     from payment_refund r join payment_attempt a on a.id = r.attempt_id join customer c on c.id = r.customer_id
     where r.id = $1 and r.status = 'processing' for update of r`,
    [id],
  );
  if (row === undefined) return;
  const { vendorId, customerId, currency, amount, invoiceId } = row;
  const at = await nowOf(tx, row.clockId);
  const reference = outcome.status === 'succeeded' ? outcome.reference : null;
  const reason = outcome.status === 'failed' ? outcome.reason : null;
  await tx.query('update payment_refund set status = $2, reference = $3, reason = $4, ended = $5 where id = $1', [
    id,
    outcome.status,
    reference,
    reason,
    stamp(at),
  ]);
  if (outcome.status === 'succeeded') return;
  await post(tx, [
    refundFailedEntry({ id: newId('Txn'), vendorId, customerId, currency, occasion: id, invoiceId, at }, row.provider, amount),
  ]);
  const credit = { amount, description: 'Refund that could not be made', invoiceId, kind: 'refund' as const, occasion: `refund:${id}`, at };
  await settleWallets(tx, [{ vendorId, customerId, currency, at, credits: [credit], drafts: [], pays: row.pays }]);
}
