import type { Instant } from '../../billing/calendar/instant.ts';
import { MRR_MOVES, type MrrMoveKind } from '../../billing/contract/mrr/moves.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Queryable } from '../../db/connect.ts';
import { type FigureOwner, type PartSum, sumsBefore } from '../../db/sql/figure/sums-before.ts';

/** The MRR of a currency at two instants, and the moves between them. Contraction and churn are negative. */
export interface MrrReport extends Record<MrrMoveKind, string> {
  currency: Currency;
  start: string;
  end: string;
}

/** How MRR moved from one instant up to another, by currency, from what was booked. */
export async function mrrReport(db: Queryable, owner: FigureOwner, { from, to }: { from: Instant; to: Instant }): Promise<MrrReport[]> {
  const [before, until] = [await sumsBefore(db, 'mrr', owner, from), await sumsBefore(db, 'mrr', owner, to)];
  const currencies = [...new Set(until.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const of = (sums: readonly PartSum[], kind?: MrrMoveKind) =>
      sum(sums.filter((one) => one.currency === currency && (kind ?? one.part) === one.part).map(({ amount }) => dec(amount)));
    const moved = (kind: MrrMoveKind): string => moneyText(of(until, kind).minus(of(before, kind)), currency);
    const moves = Object.fromEntries(MRR_MOVES.map((kind) => [kind, moved(kind)])) as Record<MrrMoveKind, string>;
    return { currency, start: moneyText(of(before), currency), ...moves, end: moneyText(of(until), currency) };
  });
}
