import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';

/**
 * The currencies in which a customer has money that isn't held, by wallet id. SQL, because every payment and every
 * activation asks it.
 */
export async function currenciesWithMoney(tx: Queryable, customerId: string): Promise<Currency[]> {
  const rows = await tx.query<{ currency: Currency }>('select currency from wallet where customer_id = $1 and balance > held order by id', [
    customerId,
  ]);
  return rows.map(({ currency }) => currency);
}
