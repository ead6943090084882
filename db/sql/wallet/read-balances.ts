import type { InvoiceTurn } from '../../../billing/invoice/settlement.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';

export interface WalletBalance {
  id: string;
  vendorId: string;
  customerId: string;
  currency: Currency;
  balance: string;
  /** the part of it that is kept for open payment gates */
  held: string;
}

/** One that is locked, with the open invoice behind which it has yet to pay; null: it has paid what it can. */
export interface LockedWallet extends WalletBalance {
  paysAfter: InvoiceTurn | null;
}

/**
 * The customer's wallets, one for each currency that ever had money in it. SQL, because a read of what a customer owes
 * ends with it.
 */
export function walletBalances(db: Queryable, vendorId: string, customerId: string): Promise<WalletBalance[]> {
  return db.query<WalletBalance>(
    `select id, vendor_id as "vendorId", customer_id as "customerId", currency, balance, held from wallet
     where vendor_id = $1 and customer_id = $2 and exists (select from wallet_transaction t where t.wallet_id = wallet.id)
     order by currency`,
    [vendorId, customerId],
  );
}
