import type { Instant } from '../../billing/calendar/instant.ts';
import { AGES, type Age, ageOf } from '../../billing/invoice/aging.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Queryable } from '../../db/connect.ts';
import { openByDueDay } from '../../db/sql/figure/aging.ts';
import type { FigureOwner } from '../../db/sql/figure/sums-before.ts';

/** What was unpaid in a currency, by how long ago it was due. */
export interface AgingReport extends Record<Age, string> {
  currency: Currency;
}

/** What customers had not paid at an instant, by age and currency; payments and credit notes after it don't count. */
export async function agingReport(db: Queryable, owner: FigureOwner, at: Instant): Promise<AgingReport[]> {
  const byCurrency = Map.groupBy(await openByDueDay(db, owner, at), ({ currency }) => currency);
  return [...byCurrency].map(([currency, days]) => {
    const of = (age: Age): string =>
      moneyText(sum(days.filter(({ day }) => ageOf(day, at) === age).map(({ open }) => dec(open))), currency);
    return { currency, ...(Object.fromEntries(AGES.map((age) => [age, of(age)])) as Record<Age, string>) };
  });
}
