import type { Currency } from '../../billing/money/currency.ts';
import type { Queryable } from '../connect.ts';
import { lockGrants, type OpenGrant } from '../sql/credit/lock-grants.ts';
import { lockWallets } from '../sql/wallet/lock-wallets.ts';
import type { LockedWallet } from '../sql/wallet/read-balances.ts';
import { together } from '../together.ts';

/** Money of a customer in one currency. */
export interface MoneyOwner {
  customerId: string;
  currency: Currency;
}

/**
 * Locks wallets, then grants, each by their id and in one round trip. A customer who has credits has a wallet: its row
 * is the lock of all money and credits of the customer in the currency, so whatever locks a grant has locked the wallet
 * before.
 */
export async function lockMoney(tx: Queryable, owners: readonly MoneyOwner[]): Promise<{ wallets: LockedWallet[]; grants: OpenGrant[] }> {
  if (owners.length === 0) return { wallets: [], grants: [] };
  const [wallets, grants] = await together(tx, [() => lockWallets(tx, owners), () => lockGrants(tx, owners)]);
  return { wallets, grants };
}
