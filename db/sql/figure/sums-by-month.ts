import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import type { FigureOwner } from './sums-before.ts';

/** What was invoiced and recognised in a month; those before the first month asked for are one, with `month` null. */
export interface MonthSum {
  month: Instant | null;
  currency: Currency;
  /** the revenue account less what credit notes took back, both without tax */
  invoiced: string;
  recognised: string;
}

const SQL = `
  select case when s.day < $3 then null else date_trunc('month', s.day) end as month, s.currency,
    coalesce(-sum(s.amount) filter (where s.figure = 'ledger'), 0) as invoiced,
    coalesce(sum(s.amount) filter (where s.figure = 'recognised'), 0) as recognised
  from (
    select figure, part, currency, day, amount from figure_sum where vendor_id = $1 and clock_id = $2
    union all select figure, part, currency, day, amount from figure_sum_change where vendor_id = $1 and clock_id = $2
  ) s
  where s.day < $4::timestamptz + interval '1 month' and (s.figure = 'recognised' or (s.figure = 'ledger' and s.part = 'revenue'))
  group by 1, 2 order by 2, 1 nulls first`;

/**
 * Invoiced and recognised revenue from one month to another, both given by their first instants, from kept sums alone.
 * SQL: one row for each month and currency, however many invoices there are.
 */
export async function sumsByMonth(db: Queryable, owner: FigureOwner, first: Instant, last: Instant): Promise<MonthSum[]> {
  return db.query<{ month: Instant | null; currency: Currency; invoiced: string; recognised: string }>(SQL, [
    owner.vendorId,
    owner.clockId,
    stamp(first),
    stamp(last),
  ]);
}
