import type { Instant } from '../../billing/calendar/instant.ts';
import { invoiceMachine } from '../../billing/lifecycle/invoice.ts';
import { dec } from '../../billing/money/decimal.ts';
import type { Queryable, Tx } from '../../db/connect.ts';
import { stamp } from '../../db/rows.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { statusMove } from '../../db/sql/status.ts';
import { stopCollecting } from '../payment/stop-collecting.ts';
import { moveWallets, type WalletPaid, type WalletTask } from './move.ts';

const SETTLE = statusMove(invoiceMachine, 'settle', { nothingLeft: 'x.remaining = 0', somethingLeft: 'x.remaining > 0' });

/**
 * Lets wallets gain and pay, and writes what that means for invoices that stand in the database. To be called whenever a wallet gains
 * money, an invoice becomes `ready_for_payment`, or a customer may be collected from again.
 *
 * @returns every payment made
 */
export async function settleWallets(tx: Tx, tasks: readonly WalletTask[]): Promise<WalletPaid[]> {
  const paid = await moveWallets(tx, tasks);
  await applyToInvoices(tx, paid);
  return paid;
}

/** Brings stored invoices to what the wallet left of them. */
export async function applyToInvoices(tx: Tx, paid: readonly WalletPaid[]): Promise<void> {
  if (paid.length === 0) return;
  const changed = await tx.query<{ id: string; vendor_id: string; customer_id: string; contract_id: string; status: string; at: Instant }>(
    `update invoice set amount_due = x.remaining,
       status = ${SETTLE.to},
       paid_at = case when x.remaining = 0 then x.at else paid_at end,
       deposit_transaction_id = case when x.remaining = 0 then x.transaction_id else deposit_transaction_id end,
       deposit_transaction_status = case when x.remaining = 0 then 'succeeded' else deposit_transaction_status end
     from unnest($1::text[], $2::numeric[], $3::timestamptz[], $4::text[]) as x(id, remaining, at, transaction_id)
     where invoice.id = x.id
     returning invoice.id, invoice.vendor_id, invoice.customer_id, invoice.contract_id, invoice.status, x.at`,
    [paid.map((p) => p.invoiceId), paid.map((p) => p.remaining), paid.map((p) => stamp(p.at)), paid.map((p) => p.transactionId)],
  );
  const settled = changed.filter((row) => row.status === 'paid');
  await stopCollecting(
    tx,
    settled.map((row) => row.id),
  );
  await publish(
    tx,
    settled.map((row) => ({
      vendorId: row.vendor_id,
      type: 'v1.invoice.paid',
      objectId: row.id,
      at: row.at,
      data: { customer_id: row.customer_id, contract_id: row.contract_id },
    })),
  );
}

/** A turn for each currency in which the customer owes something: what an activated customer's wallets can pay now. */
export async function tasksOfCustomer(tx: Queryable, vendorId: string, customerId: string, at: Instant): Promise<WalletTask[]> {
  const rows = await tx.query<{ currency: WalletTask['currency']; balance: string }>(
    `select currency, balance from wallet where customer_id = $1 order by id`,
    [customerId],
  );
  return rows
    .filter((row) => dec(row.balance).gt(0))
    .map((row) => ({ vendorId, customerId, currency: row.currency, at, credits: [], drafts: [], pays: true }));
}
