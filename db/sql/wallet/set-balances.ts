import type { Queryable } from '../../connect.ts';
import type { LockedWallet } from './read-balances.ts';

/**
 * Writes the new balances of wallets that are locked, and where they have yet to pay. SQL, because one statement does
 * it for a batch.
 */
export async function setBalances(tx: Queryable, wallets: readonly Pick<LockedWallet, 'id' | 'balance' | 'paysAfter'>[]): Promise<void> {
  await tx.query(
    `update wallet set balance = x.balance, pays_after = x.pays_after
     from unnest($1::text[], $2::numeric[], $3::jsonb[]) as x(id, balance, pays_after) where wallet.id = x.id`,
    [
      wallets.map(({ id }) => id),
      wallets.map(({ balance }) => balance),
      wallets.map(({ paysAfter }) => (paysAfter === null ? null : JSON.stringify(paysAfter))),
    ],
  );
}
