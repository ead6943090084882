import type { Instant } from '../../../billing/calendar/instant.ts';
import { invoiceMachine } from '../../../billing/lifecycle/invoice.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { statusMove } from '../status.ts';

const SETTLE = statusMove(invoiceMachine, 'settle', { nothingLeft: '$3', somethingLeft: 'not $3' });

interface Paid {
  invoiceId: string;
  remaining: string;
  settled: boolean;
  now: Instant;
  transactionId: string;
}

/** Writes what a payment left of an invoice. SQL, because the row was locked by SQL, and every payment ends with it. */
export async function payInvoiceRow(tx: Queryable, { invoiceId, remaining, settled, now, transactionId }: Paid): Promise<void> {
  await tx.query(
    `update invoice set amount_due = $2, status = ${SETTLE.to}, paid_at = case when $3 then coalesce(paid_at, $4) else paid_at end,
       deposit_transaction_status = case when $3 then 'succeeded' else 'not_processed' end, deposit_transaction_id = $5 where id = $1`,
    [invoiceId, remaining, settled, stamp(now), transactionId],
  );
}
