import type { Queryable } from '../../connect.ts';
import type { WalletBalance } from './read-balances.ts';

/** Writes the new balances of wallets that are locked. SQL, because one statement does it for a batch. */
export async function setBalances(tx: Queryable, wallets: readonly Pick<WalletBalance, 'id' | 'balance'>[]): Promise<void> {
  await tx.query(`update wallet set balance = x.balance from unnest($1::text[], $2::numeric[]) as x(id, balance) where wallet.id = x.id`, [
    wallets.map(({ id }) => id),
    wallets.map(({ balance }) => balance),
  ]);
}
