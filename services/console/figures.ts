import type { Instant } from '../../billing/calendar/instant.ts';
import { MRR_MOVES, type MrrMoveKind } from '../../billing/contract/mrr/moves.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum, ZERO } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Queryable } from '../../db/connect.ts';
import { type MonthPart, partsByMonth } from '../../db/sql/figure/parts-by-month.ts';
import type { FigureOwner } from '../../db/sql/figure/sums-before.ts';

/** A month of a currency. Contraction and churn are negative. */
export interface FigureMonth extends Record<MrrMoveKind, string> {
  month: Instant;
  /** MRR at the month's end, or now */
  mrr: string;
  /** without tax, less what credit notes gave back */
  invoiced: string;
  /** through providers and by hand, less what went back */
  collected: string;
  /** of what was invoiced: usage and its corrections, without tax, before credit notes */
  usage: string;
  /** what was to be paid of invoices whose first payment failed in the month */
  failed: string;
  /** what was paid in the month of invoices whose first payment had failed */
  recovered: string;
}

/** The figures of a currency, oldest month first. */
export interface CurrencyFigures {
  currency: Currency;
  months: FigureMonth[];
}

const MONTHS = 12;
const ACCOUNTS = ['revenue', 'clearing'];

/** The first instants of the last twelve months, the running one included. */
function lastMonths(now: Instant): Instant[] {
  const at = new Date(now);
  return Array.from({ length: MONTHS }, (_, n) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - (MONTHS - 1 - n)));
}

/** MRR with its moves, and money of each kind, of the last twelve months by currency, in one statement. */
export async function figuresByMonth(db: Queryable, owner: FigureOwner, now: Instant): Promise<CurrencyFigures[]> {
  const months = lastMonths(now);
  const parts = await partsByMonth(db, owner, months[0] ?? now, ACCOUNTS);
  const byCurrency = [...Map.groupBy(parts, ({ currency }) => currency)].sort(([one], [other]) => (one < other ? -1 : 1));
  return byCurrency.map(([currency, own]) => ({ currency, months: inTurn(currency, own, months) }));
}

function inTurn(currency: Currency, parts: readonly MonthPart[], months: readonly Instant[]): FigureMonth[] {
  const of = (month: Instant | null, figure: MonthPart['figure'], part?: string) =>
    sum(
      parts
        .filter((one) => one.month === month && one.figure === figure && (part === undefined || one.part === part))
        .map(({ amount }) => dec(amount)),
    );
  const money = (amount: ReturnType<typeof dec>): string => moneyText(amount, currency);
  let mrr = ZERO.plus(of(null, 'mrr'));
  return months.map((month) => {
    mrr = mrr.plus(of(month, 'mrr'));
    const moves = Object.fromEntries(MRR_MOVES.map((kind) => [kind, money(of(month, 'mrr', kind))])) as Record<MrrMoveKind, string>;
    const [invoiced, collected] = [of(month, 'ledger', 'revenue').neg(), of(month, 'ledger', 'clearing')];
    return {
      month,
      ...moves,
      mrr: money(mrr),
      invoiced: money(invoiced),
      collected: money(collected),
      usage: money(of(month, 'usage')),
      failed: money(of(month, 'payments', 'failed')),
      recovered: money(of(month, 'payments', 'recovered')),
    };
  });
}
