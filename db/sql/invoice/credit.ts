import type { Instant } from '../../../billing/calendar/instant.ts';
import { invoiceMachine } from '../../../billing/lifecycle/invoice.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { statusMove } from '../status.ts';

const CREDIT = statusMove(invoiceMachine, 'credit', { nothingLeft: '$3', somethingLeft: 'not $3' });

interface Credited {
  invoiceId: string;
  /** what is still to be paid after the credit note */
  remaining: string;
  settled: boolean;
  now: Instant;
}

/**
 * Lowers what is due of an invoice, which names the last payment where it has one. SQL, because the payment is found
 * among the postings, whose tables no entity relates to the invoice.
 */
export async function creditInvoice(tx: Queryable, { invoiceId, remaining, settled, now }: Credited): Promise<void> {
  await tx.query(
    `update invoice set amount_due = $2, status = ${CREDIT.to}, paid_at = case when $3 then $4 else paid_at end,
       deposit_transaction_status = case when not $3 then deposit_transaction_status when money.id is null then 'not_processed' else 'succeeded' end,
       deposit_transaction_id = coalesce(deposit_transaction_id, money.id)
     from (select max(id) as id from ledger_transaction where invoice_id = $1 and kind in ('payment', 'wallet_payment', 'credit_used')) money
     where invoice.id = $1`,
    [invoiceId, remaining, settled, stamp(now)],
  );
}
