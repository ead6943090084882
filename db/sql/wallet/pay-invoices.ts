import type { Instant } from '../../../billing/calendar/instant.ts';
import type { InvoiceState } from '../../../billing/lifecycle/invoice.ts';
import { invoiceMachine } from '../../../billing/lifecycle/invoice.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { statusMove } from '../status.ts';

const SETTLE = statusMove(invoiceMachine, 'settle', { nothingLeft: 'x.remaining = 0', somethingLeft: 'x.remaining > 0' });

/** What a wallet paid of an invoice. */
interface PaidOf {
  invoiceId: string;
  remaining: string;
  at: Instant;
  /** the movement in the wallet */
  transactionId: string;
}

interface PaidInvoice {
  id: string;
  vendorId: string;
  customerId: string;
  contractId: string | null;
  status: InvoiceState;
  at: Instant;
}

/**
 * Updates invoices with what remains to be paid after the wallets' payments. SQL, because one statement does it for a
 * batch.
 */
export const payInvoicesByWallet = (tx: Queryable, paid: readonly PaidOf[]): Promise<PaidInvoice[]> =>
  tx.query<PaidInvoice>(
    `update invoice set amount_due = x.remaining,
       status = ${SETTLE.to},
       paid_at = case when x.remaining = 0 then x.at else paid_at end,
       deposit_transaction_id = case when x.remaining = 0 then x.transaction_id else deposit_transaction_id end,
       deposit_transaction_status = case when x.remaining = 0 then 'succeeded' else deposit_transaction_status end
     from unnest($1::text[], $2::numeric[], $3::timestamptz[], $4::text[]) as x(id, remaining, at, transaction_id)
     where invoice.id = x.id
     returning invoice.id, invoice.vendor_id as "vendorId", invoice.customer_id as "customerId", invoice.contract_id as "contractId",
       invoice.status, x.at`,
    [paid.map((p) => p.invoiceId), paid.map((p) => p.remaining), paid.map((p) => stamp(p.at)), paid.map((p) => p.transactionId)],
  );
