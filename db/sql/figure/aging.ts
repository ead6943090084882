import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { type FigureOwner, POSTINGS } from './sums-before.ts';

/** What was open of invoices due on one day. */
export interface OpenOnDay {
  currency: Currency;
  /** the day they are due, 00:00Z */
  day: Instant;
  open: string;
}

const SQL = `
  with later as (
    select t.invoice_id, sum(p.amount) as amount
    from ${POSTINGS}
    where t.vendor_id = $1 and t.clock_id = $2 and t.at > $3 and t.invoice_id is not null and a.kind = 'receivable'
    group by t.invoice_id
  ), left_open as (
    select i.currency, i.due_date, i.amount_due - coalesce(l.amount, 0) as open
    from invoice i left join later l on l.invoice_id = i.id
    where i.vendor_id = $1 and i.series = $2 and i.status = 'ready_for_payment' and coalesce(i.validated_at, i.date) <= $3
    union all
    select i.currency, i.due_date, i.amount_due - l.amount
    from later l join invoice i on i.id = l.invoice_id
    where i.vendor_id = $1 and i.series = $2 and i.status <> 'ready_for_payment' and coalesce(i.validated_at, i.date) <= $3
  )
  select currency, date_trunc('day', due_date) as day, sum(open) as open from left_open where open <> 0 group by 1, 2 order by 1, 2`;

/**
 * What was left to pay at an instant, by the day it was due: what is open now, less what was posted since. SQL: it
 * reads open invoices and those with later postings alone, never all there are.
 */
export async function openByDueDay(db: Queryable, { vendorId, clockId }: FigureOwner, at: Instant): Promise<OpenOnDay[]> {
  return db.query<{ currency: Currency; day: Instant; open: string }>(SQL, [vendorId, clockId, stamp(at)]);
}
