import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, ZERO } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Queryable } from '../../db/connect.ts';
import { creditBalances } from '../../db/sql/credit/balances.ts';
import { readOpenGrants } from '../../db/sql/credit/lock-grants.ts';
import { usedByOpenUsage } from './open-usage.ts';
import { usable } from './use.ts';

/** What is left of prepaid credits, as the customer's credit is shown. */
export interface LiveBalance {
  currency: Currency;
  /** left of grants whose life has begun, less what the open usage would use if it were closed now */
  live: string;
  /** how many grants have begun */
  begun: number;
}

/** A customer's live balances by their currency, with the usage that this transaction has counted. */
export async function liveBalances(tx: Queryable, customerId: string, now: Instant): Promise<LiveBalance[]> {
  const found: LiveBalance[] = [];
  for (const { currency, settled, begun } of await creditBalances(tx, customerId, now)) {
    const open = (await readOpenGrants(tx, [{ customerId, currency }])).map(usable);
    const used = open.length === 0 ? ZERO : await usedByOpenUsage(tx, customerId, open, now);
    found.push({ currency, live: moneyText(dec(settled).minus(used), currency), begun });
  }
  return found;
}

/** The same in one currency; nothing where no grant has begun. */
export async function liveBalance(
  tx: Queryable,
  { customerId, currency }: { customerId: string; currency: Currency },
  now: Instant,
): Promise<string> {
  return (await liveBalances(tx, customerId, now)).find((one) => one.currency === currency)?.live ?? moneyText('0', currency);
}
