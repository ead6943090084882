import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/** What a customer has of prepaid credits in one currency. */
export interface CreditBalance {
  currency: Currency;
  /** left of grants whose life has begun */
  settled: string;
  /** how many have begun: with one more, all steps of alerts may be announced again */
  begun: number;
}

/**
 * A customer's prepaid credits by their currency; none where no grant has ever begun. Bought ones begin once they are
 * paid, which each row says itself. SQL, because it adds up, in transactions that count usage.
 */
export const creditBalances = (tx: Queryable, customerId: string, now: Instant): Promise<CreditBalance[]> =>
  tx.query<CreditBalance>(
    `select currency, sum(balance) as settled, count(*)::int as begun from credit_grant
     where customer_id = $1 and effective_at <= $2::timestamptz
       and (invoice_id is null or paid_at is not null)
     group by currency order by currency`,
    [customerId, stamp(now)],
  );
