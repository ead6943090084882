import type { EntityManager } from '@mikro-orm/postgresql';
import { Wallet } from '../entities/wallet.ts';
import type { WalletBalance } from '../sql/wallet/read-balances.ts';

/** Wallets by id. */
export const walletsById = (em: EntityManager, vendorId: string, ids: readonly string[]): Promise<WalletBalance[]> =>
  em.find(Wallet, { vendorId, id: { $in: [...ids] } });
