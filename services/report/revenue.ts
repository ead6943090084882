import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, ZERO } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Queryable } from '../../db/connect.ts';
import type { FigureOwner } from '../../db/sql/figure/sums-before.ts';
import { type MonthSum, sumsByMonth } from '../../db/sql/figure/sums-by-month.ts';

/**
 * A month's revenue without tax, less what credit notes gave back; `deferredEnd` = invoiced by its end, not yet earned.
 */
export interface RevenueMonth {
  month: Instant;
  invoiced: string;
  recognised: string;
  deferredEnd: string;
}

/** The revenue of a currency, month by month. */
export interface RevenueReport {
  currency: Currency;
  months: RevenueMonth[];
}

/** Invoiced and recognised revenue of some months, given by their first instants, by currency. */
export async function revenueReport(db: Queryable, owner: FigureOwner, months: readonly Instant[]): Promise<RevenueReport[]> {
  const [first = 0, last = first] = [months[0], months.at(-1)];
  const sums = await sumsByMonth(db, owner, first, last);
  return [...Map.groupBy(sums, ({ currency }) => currency)].map(([currency, rows]) => ({
    currency,
    months: inTurn(currency, rows, months),
  }));
}

function inTurn(currency: Currency, rows: readonly MonthSum[], months: readonly Instant[]): RevenueMonth[] {
  const of = (month: Instant | null) => {
    const row = rows.find((one) => one.month === month);
    return { invoiced: dec(row?.invoiced ?? '0'), recognised: dec(row?.recognised ?? '0') };
  };
  const before = of(null);
  let deferred = ZERO.plus(before.invoiced).minus(before.recognised);
  return months.map((month) => {
    const { invoiced, recognised } = of(month);
    deferred = deferred.plus(invoiced).minus(recognised);
    const money = (value: typeof deferred): string => moneyText(value, currency);
    return { month, invoiced: money(invoiced), recognised: money(recognised), deferredEnd: money(deferred) };
  });
}
