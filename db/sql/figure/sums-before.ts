import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/** Whose figures: a vendor's customers on the wall clock (`clockId` ''), or those on one test clock. */
export interface FigureOwner {
  vendorId: string;
  clockId: string;
}

/** What the rows of a part come to. */
export interface PartSum {
  part: string;
  currency: Currency;
  amount: string;
}

/**
 * SQL: transactions `t` with their postings `p` and accounts `a`, looked up by key (`offset 0`): whatever the planner
 * knows of the tables, it never reads the postings of all time to find those of a day or a page.
 */
export const POSTINGS = `ledger_transaction t
    cross join lateral (select q.account_id, q.amount from ledger_posting q where q.transaction_id = t.id offset 0) p
    cross join lateral (select o.vendor_id, o.kind, o.owner, o.currency from ledger_account o where o.id = p.account_id offset 0) a`;

/** SQL: when the day of the instant `$4` began. */
const DAY = `date_trunc('day', $4::timestamptz)`;

/** The rows of a figure in the part of that day before the instant; those of the ledger at it too. */
const ROWS = {
  mrr: `select m.kind as part, m.currency, m.amount from mrr_move m
    where m.vendor_id = $1 and m.clock_id = $2 and m.at >= ${DAY} and m.at < $4`,
  ledger: `select a.kind as part, a.currency, p.amount from ${POSTINGS}
    where t.vendor_id = $1 and t.clock_id = $2 and t.at >= ${DAY} and t.at <= $4`,
};

const sqlFor = (figure: keyof typeof ROWS): string => `
  select part, currency, sum(amount) as amount from (
    select s.part, s.currency, s.amount from figure_sum s
      where s.vendor_id = $1 and s.clock_id = $2 and s.figure = $3 and s.day < ${DAY}
    union all select c.part, c.currency, c.amount from figure_sum_change c
      where c.vendor_id = $1 and c.clock_id = $2 and c.figure = $3 and c.day < ${DAY}
    union all ${ROWS[figure]}
  ) rows group by part, currency order by currency, part`;

const SQL = { mrr: sqlFor('mrr'), ledger: sqlFor('ledger') };

/**
 * What a figure's rows come to, by part and currency: moves before an instant, postings up to it. SQL: the kept sums of
 * whole days and the rows of the day itself in one statement, so that a row that is being added up is counted exactly
 * once.
 */
export async function sumsBefore(db: Queryable, figure: keyof typeof ROWS, owner: FigureOwner, at: Instant): Promise<PartSum[]> {
  return db.query<{ part: string; currency: Currency; amount: string }>(SQL[figure], [owner.vendorId, owner.clockId, figure, stamp(at)]);
}
