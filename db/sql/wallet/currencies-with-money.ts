import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';

/**
 * The currencies in which a customer has money or prepaid credits that aren't held. SQL, because every payment and
 * every activation asks it.
 */
export async function currenciesWithMoney(tx: Queryable, customerId: string): Promise<Currency[]> {
  const rows = await tx.query<{ currency: Currency }>(
    `select currency from wallet where customer_id = $1 and balance > held
     union select currency from credit_grant where customer_id = $1 and balance > 0 and balance > held order by currency`,
    [customerId],
  );
  return rows.map(({ currency }) => currency);
}
