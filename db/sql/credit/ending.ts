import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/** A customer who has credits in a currency whose life has ended by an instant. */
export interface EndingCredits {
  customerId: string;
  currency: Currency;
  at: Instant;
}

/**
 * Which customers have something left of credits whose life has ended, each by an instant of its own. SQL, because
 * every rollover asks it for all customers of a batch, and hardly any of them has such credits.
 */
export async function endingCredits(tx: Queryable, asked: readonly EndingCredits[]): Promise<EndingCredits[]> {
  if (asked.length === 0) return [];
  return tx.query<EndingCredits>(
    `select distinct x.customer_id as "customerId", x.currency, x.at
     from unnest($1::text[], $2::text[], $3::timestamptz[]) as x(customer_id, currency, at)
     join credit_grant g on g.customer_id = x.customer_id and g.currency = x.currency and g.balance > 0 and g.expires_at <= x.at`,
    [asked.map(({ customerId }) => customerId), asked.map(({ currency }) => currency), asked.map(({ at }) => stamp(at))],
  );
}
