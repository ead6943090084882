import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { Queryable } from '../connect.ts';
import { WalletTransaction } from '../entities/wallet.ts';

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
export async function walletMovements(em: EntityManager, vendorId: string, customerId: string, limit = 200): Promise<WalletMovement[]> {
  const newest = { populate: ['wallet'], orderBy: { seq: 'desc' }, limit } as const;
  const movements = await em.find(WalletTransaction, { wallet: { vendorId, customerId } }, newest);
  return movements.reverse().map(({ wallet, ...movement }) => ({ ...movement, currency: wallet.$.currency }));
}
