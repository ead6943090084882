import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Queryable } from '../../db/connect.ts';
import type { AccountKind } from '../../db/entities/ledger.ts';
import { type FigureOwner, sumsBefore } from '../../db/sql/figure/sums-before.ts';

/** What an account holds: debits positive, credits negative. */
export interface AccountBalance {
  account: AccountKind;
  currency: Currency;
  balance: string;
}

/** The balances of all accounts at an instant, what happened at it included; those of a currency add up to zero. */
export async function ledgerBalance(db: Queryable, owner: FigureOwner, at: Instant): Promise<AccountBalance[]> {
  const sums = await sumsBefore(db, 'ledger', owner, at);
  return sums.map(({ part, currency, amount }) => ({
    account: part as AccountKind,
    currency,
    balance: moneyText(dec(amount), currency),
  }));
}
