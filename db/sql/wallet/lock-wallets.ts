import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';
import type { LockedWallet } from './read-balances.ts';

/**
 * Locks wallets by their id, so that two transactions never deadlock. SQL, because a bill run moves the wallets of a
 * batch in few statements.
 */
export const lockWallets = (tx: Queryable, wallets: readonly { customerId: string; currency: Currency }[]): Promise<LockedWallet[]> =>
  tx.query<LockedWallet>(
    `select id, vendor_id as "vendorId", customer_id as "customerId", currency, balance, held, pays_after as "paysAfter" from wallet
     where (customer_id, currency) in (select * from unnest($1::text[], $2::text[])) order by id for update`,
    [wallets.map(({ customerId }) => customerId), wallets.map(({ currency }) => currency)],
  );
