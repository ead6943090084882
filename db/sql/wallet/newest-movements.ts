import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';

/** Money that came into a customer's wallet or left it, as it is shown. */
export interface WalletMovement {
  id: string;
  at: Instant;
  currency: Currency;
  amount: string;
  balanceAfter: string;
  kind: 'credit' | 'grant' | 'opening' | 'refund' | 'payment';
  description: string;
  invoiceId: string | null;
}

const SQL = `select t.id, t.at, w.currency, t.amount, t.balance_after as "balanceAfter", t.kind, t.description, t.invoice_id as "invoiceId"
  from wallet w cross join lateral (select * from wallet_transaction o where o.wallet_id = w.id order by o.seq desc limit $3::int) t
  where w.vendor_id = $1 and w.customer_id = $2 order by t.seq desc limit $3::int`;

/**
 * The newest movements of a customer's wallets, the oldest of them first. SQL, because it reads no more of each wallet
 * than it may show: a join reads all of them.
 */
export async function newestMovements(db: Queryable, vendorId: string, customerId: string, most: number): Promise<WalletMovement[]> {
  return (await db.query<WalletMovement>(SQL, [vendorId, customerId, most])).reverse();
}
