import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';

interface OpenInvoice {
  id: string;
  date: Instant;
  dueDate: Instant;
  remaining: string;
}

/**
 * Locks the invoices a wallet may pay; one with a payment under way is left to that payment. SQL, because it is asked
 * for every wallet with money in it, in every batch.
 */
export const lockOpenInvoices = (tx: Queryable, customerId: string, currency: Currency): Promise<OpenInvoice[]> =>
  tx.query<OpenInvoice>(
    `select id, date, due_date as "dueDate", amount_due as remaining from invoice
     where customer_id = $1 and currency = $2 and status = 'ready_for_payment' and amount_due > 0 and deposit_transaction_status <> 'processing'
     order by id for update`,
    [customerId, currency],
  );
