import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import type { FigureOwner } from './sums-before.ts';

/**
 * What the rows of a part of a figure come to in a month; all before the first month asked for are one, `month` null.
 */
export interface MonthPart {
  month: Instant | null;
  figure: 'mrr' | 'ledger' | 'usage' | 'payments';
  /** a kind of move, a kind of account, `failed` or `recovered`; of usage nothing */
  part: string;
  currency: Currency;
  amount: string;
}

const SQL = `
  select case when s.day < $3 then null else date_trunc('month', s.day) end as month, s.figure, s.part, s.currency, sum(s.amount) as amount
  from (
    select figure, part, currency, day, amount from figure_sum where vendor_id = $1 and clock_id = $2
    union all select figure, part, currency, day, amount from figure_sum_change where vendor_id = $1 and clock_id = $2
  ) s
  where s.figure = 'mrr' or (s.figure in ('usage', 'payments') and s.day >= $3) or (s.figure = 'ledger' and s.part = any($4::text[]) and s.day >= $3)
  group by 1, 2, 3, 4`;

/**
 * Moves of MRR, what was posted to accounts of some kinds, what usage brought and what payments failed, month by month
 * from one on, from kept sums alone. SQL: at most a row for each month, part and currency, however many customers there
 * are.
 */
export const partsByMonth = (db: Queryable, owner: FigureOwner, first: Instant, accounts: readonly string[]): Promise<MonthPart[]> =>
  db.query<MonthPart>(SQL, [owner.vendorId, owner.clockId, stamp(first), accounts]);
