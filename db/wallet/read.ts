import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { Queryable } from '../connect.ts';

export interface WalletBalance {
  id: string;
  vendorId: string;
  customerId: string;
  currency: Currency;
  balance: string;
}

export interface WalletMovement {
  id: string;
  at: Instant;
  currency: Currency;
  amount: string;
  balanceAfter: string;
  kind: 'credit' | 'grant' | 'refund' | 'payment';
  description: string;
  invoiceId: string | null;
}

/** The customer's wallets, one for each currency that ever held money. */
export function walletBalances(db: Queryable, vendorId: string, customerId: string): Promise<WalletBalance[]> {
  return db.query<WalletBalance>(
    `select id, vendor_id as "vendorId", customer_id as "customerId", currency, balance from wallet
     where vendor_id = $1 and customer_id = $2 order by currency`,
    [vendorId, customerId],
  );
}

/** The newest movements, oldest of them first. */
export function walletMovements(db: Queryable, vendorId: string, customerId: string, limit = 200): Promise<WalletMovement[]> {
  return db.query<WalletMovement>(
    `select * from (
       select t.id, t.at, w.currency, t.amount, t.balance_after as "balanceAfter", t.kind, t.description, t.invoice_id as "invoiceId", t.seq
       from wallet_transaction t join wallet w on w.id = t.wallet_id
       where w.vendor_id = $1 and w.customer_id = $2 order by t.seq desc limit $3) newest order by seq`,
    [vendorId, customerId, limit],
  );
}
