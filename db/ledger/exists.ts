import type { EntityManager } from '@mikro-orm/postgresql';
import { LedgerTransaction } from '../entities/ledger.ts';
import type { FigureOwner } from '../sql/figure/sums-before.ts';

/** Whether a transaction is in these books, so that a reader may go on from it. */
export const hasTransaction = async (em: EntityManager, { vendorId, clockId }: FigureOwner, id: string): Promise<boolean> =>
  (await em.count(LedgerTransaction, { vendorId, clockId, id })) > 0;
