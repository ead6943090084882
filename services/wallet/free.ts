import { type Decimal, dec, larger, ZERO } from '../../billing/money/decimal.ts';
import type { Queryable } from '../../db/connect.ts';
import { openTotal } from '../../db/sql/wallet/open-total.ts';
import type { LockedWallet } from '../../db/sql/wallet/read-balances.ts';

/**
 * What of a wallet nothing else has a right to: no payment gate holds it, and no open invoice is yet to be paid from
 * it.
 */
export async function freeMoney(
  db: Queryable,
  { customerId, currency, balance, held, paysAfter }: Pick<LockedWallet, 'customerId' | 'currency' | 'balance' | 'held' | 'paysAfter'>,
): Promise<Decimal> {
  const free = dec(balance).minus(dec(held));
  return paysAfter === null ? free : larger(ZERO, free.minus(dec(await openTotal(db, { customerId, currency }))));
}

/** Whether credits and wallet have yet to be offered open invoices, so that what is left of them isn't free. */
export const hasYetToPay = (wallet: Pick<LockedWallet, 'paysAfter'> | null | undefined): boolean =>
  wallet != null && wallet.paysAfter !== null;
