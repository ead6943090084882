import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';

/** A use of a grant, or what it got back, which is negative. */
export interface SeenUse {
  grantId: string;
  invoiceId: string | null;
  amount: string;
  at: Instant;
}

const SQL = `select m.grant_id as "grantId", m.invoice_id as "invoiceId", -m.amount as amount, m.at
  from credit_grant g cross join lateral (
    select * from credit_movement o where o.grant_id = g.id and o.kind in ('used', 'returned') order by o.seq desc limit $4::int
  ) m
  where g.vendor_id = $1 and g.customer_id = $2 and g.currency = $3 order by m.seq desc limit $4::int`;

/**
 * The newest uses of a customer's grants in a currency, the oldest of them first. SQL, because it reads no more of each
 * grant than it may show: a join reads all that they have paid.
 */
export async function newestUses(
  db: Queryable,
  { vendorId, customerId, currency }: { vendorId: string; customerId: string; currency: Currency },
  most: number,
): Promise<SeenUse[]> {
  return (await db.query<SeenUse>(SQL, [vendorId, customerId, currency, most])).reverse();
}
