import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { Wallet, WalletTransaction } from '../entities/wallet.ts';
import type { WalletBalance } from '../sql/wallet/read-balances.ts';

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

/** Movements that a read of wallets shows. */
const MOST_MOVEMENTS = 200;

/** The newest movements of a customer's wallets, oldest first. */
export async function walletMovements(em: EntityManager, vendorId: string, customerId: string): Promise<WalletMovement[]> {
  const newest = { populate: ['wallet'], orderBy: { seq: 'desc' }, limit: MOST_MOVEMENTS } as const;
  const movements = await em.find(WalletTransaction, { wallet: { vendorId, customerId } }, newest);
  return movements.reverse().map(({ wallet, ...movement }) => ({ ...movement, currency: wallet.$.currency }));
}

/** Wallets by id. */
export const walletsById = (em: EntityManager, vendorId: string, ids: readonly string[]): Promise<WalletBalance[]> =>
  em.find(Wallet, { vendorId, id: { $in: [...ids] } });
