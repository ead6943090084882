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

const IS_OPEN = `status = 'ready_for_payment' and amount_due > 0 and deposit_transaction_status <> 'processing'`;

/**
 * Locks the invoices that wallets and grants may pay, by their id; one with a payment under way is left to that
 * payment. SQL, because a batch asks it once for all who have money or credits. They are found customer by
 * customer and locked one by one, each by its id: a join reads the open invoices of all vendors where Postgres believes
 * that they are few. One whose lock was waited for must still be open then.
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
     from (
       select open.id from unnest($1::text[], $2::text[]) as x(customer_id, currency) cross join lateral (
         select id from invoice where customer_id = x.customer_id and currency = x.currency and ${IS_OPEN} offset 0
       ) open order by open.id
     ) found cross join lateral (select * from invoice where id = found.id offset 0 for update) i
     where ${IS_OPEN}`,
    [owners.map(({ customerId }) => customerId), owners.map(({ currency }) => currency)],
  );
}
