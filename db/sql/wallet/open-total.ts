import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';
import { IS_OPEN } from './lock-open-invoices.ts';

/** What is left to pay of the open invoices of a customer. SQL, because it adds up thousands without reading them. */
export async function openTotal(db: Queryable, { customerId, currency }: { customerId: string; currency: Currency }): Promise<string> {
  const [row] = await db.query<{ total: string }>(
    `select coalesce(sum(amount_due), 0) as total from invoice where customer_id = $1 and currency = $2 and ${IS_OPEN}`,
    [customerId, currency],
  );
  return row?.total ?? '0';
}
