import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';

/**
 * Holds money of a wallet that is locked for a payment gate, or with a negative amount lets it go. SQL, because the new
 * value follows from the row itself.
 */
export async function holdMoney(tx: Queryable, customerId: string, currency: Currency, amount: string): Promise<void> {
  await tx.query('update wallet set held = held + $3::numeric where customer_id = $1 and currency = $2', [customerId, currency, amount]);
}
