import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';

/**
 * The currency in which a customer has credits; null: in none, or in several. SQL, because it only asks which exist.
 */
export async function onlyCurrency(db: Queryable, customerId: string): Promise<Currency | null> {
  const rows = await db.query<{ currency: Currency }>('select distinct currency from credit_grant where customer_id = $1 limit 2', [
    customerId,
  ]);
  return rows.length === 1 ? (rows[0]?.currency ?? null) : null;
}
