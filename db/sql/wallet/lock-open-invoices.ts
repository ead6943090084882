import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';

interface OpenInvoice {
  id: string;
  customerId: string;
  currency: Currency;
  date: Instant;
  dueDate: Instant;
  remaining: string;
}

/**
 * Locks the invoices that wallets and grants may pay, by their id; one with a payment under way is left to that
 * payment. SQL, because a batch asks it once for all who have money or credits.
 *
 * @param owners each once
 */
export async function lockOpenInvoices(
  tx: Queryable,
  owners: readonly { customerId: string; currency: Currency }[],
): Promise<OpenInvoice[]> {
  if (owners.length === 0) return [];
  return tx.query<OpenInvoice>(
    `select i.id, i.customer_id as "customerId", i.currency, i.date, i.due_date as "dueDate", i.amount_due as remaining
     from unnest($1::text[], $2::text[]) as x(customer_id, currency)
     join invoice i on i.customer_id = x.customer_id and i.currency = x.currency
     where i.status = 'ready_for_payment' and i.amount_due > 0 and i.deposit_transaction_status <> 'processing'
     order by i.id for update of i`,
    [owners.map(({ customerId }) => customerId), owners.map(({ currency }) => currency)],
  );
}
