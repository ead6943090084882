import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/** Open invoices that are looked through: a page looks for what is new. */
const LOOKED_THROUGH = 1_000;

const FAILED = `
  from (
    select id, date, currency, amount_due, deposit_transaction_status, test_clock_id from invoice
    where vendor_id = $1 and status = 'ready_for_payment' order by date desc, id desc limit ${LOOKED_THROUGH}
  ) open
  where deposit_transaction_status = 'failed' and coalesce(test_clock_id, '') = $2`;

const SQL = `select id ${FAILED} order by date desc, id desc limit $3`;

/**
 * The newest open invoices of a vendor whose last payment failed, newest first, among its newest thousand open ones.
 * SQL, because an index that tells them apart would have to be written with every payment that begins.
 */
export async function newestFailed(db: Queryable, vendorId: string, clockId: string, most: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(SQL, [vendorId, clockId, most]);
  return rows.map(({ id }) => id);
}

/** What is unpaid in a currency because the last payment failed. */
export interface FailedSum {
  currency: Currency;
  invoices: number;
  due: string;
  /** of it: of invoices with a payment that failed since an instant */
  since: string;
}

const SUMS = `
  select currency, count(*)::int as invoices, sum(amount_due)::text as due,
    coalesce(sum(amount_due) filter (where exists (
      select 1 from payment_attempt a where a.vendor_id = $1 and a.invoice_id = open.id and a.status = 'failed' and a.created >= $3::timestamptz)), 0)::text as since
  ${FAILED} group by currency order by currency`;

/** The sums of all invoices that `newestFailed` would find. SQL, because they are added where they are. */
export const failedSums = (db: Queryable, vendorId: string, clockId: string, since: Instant): Promise<FailedSum[]> =>
  db.query<FailedSum>(SUMS, [vendorId, clockId, stamp(since)]);
