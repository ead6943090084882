import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';

/** A top-up with the time on its customer's clock. */
export interface WatchingTopUp {
  id: string;
  vendorId: string;
  customerId: string;
  currency: Currency;
  clockId: string | null;
  below: string;
  now: Instant;
  /** it looks at the credits anyway: at a planned instant, or when what it has bought is paid or declined */
  isWaiting: boolean;
  /** it buys nothing, because payments were declined */
  isStopped: boolean;
}

/** SQL: a top-up `t` looks at the credits anyway. */
export const WAITS = `exists (select from agenda a where a.kind = 'credit_top_up' and a.subject = t.id)
         or exists (select from credit_grant g where g.customer_id = t.customer_id and g.currency = t.currency
           and g.top_up_id is not null and g.paid_at is null and g.voided_at is null)`;

/** Whose top-ups are asked for; `currency` null: those in all currencies. */
export interface TopUpOwner {
  customerId: string;
  currency: Currency | null;
}

/**
 * The top-ups of customers who may buy: neither frozen nor erased. SQL, because every movement of credits asks for
 * those of all customers of a batch, and hardly any of them has one.
 */
export async function topUpsOf(db: Queryable, owners: readonly TopUpOwner[]): Promise<WatchingTopUp[]> {
  if (owners.length === 0) return [];
  return db.query<WatchingTopUp>(
    `select t.id, t.vendor_id as "vendorId", t.customer_id as "customerId", t.currency, c.test_clock_id as "clockId", t.below,
       coalesce(k.now, date_trunc('milliseconds', clock_timestamp())) as now,
       ${WAITS} as "isWaiting",
       t.stopped_at is not null as "isStopped"
     from credit_top_up t join customer c on c.id = t.customer_id left join test_clock k on k.id = c.test_clock_id
     where exists (select from unnest($1::text[], $2::text[]) as x(customer_id, currency)
         where x.customer_id = t.customer_id and coalesce(x.currency, t.currency) = t.currency)
       and t.customer_id = any($1::text[]) and c.status <> 'inactive' and c.erased_at is null order by t.id`,
    [owners.map(({ customerId }) => customerId), owners.map(({ currency }) => currency)],
  );
}
