import type { Tx } from '../../db/connect.ts';
import { CreditTopUp } from '../../db/entities/credit-top-up.ts';
import type { TopUpOwner } from '../../db/sql/credit/top-ups-of.ts';
import { askTopUps } from './ask-top-up.ts';

/**
 * Forgets the declines of a customer's top-ups, since a charge has succeeded or another method pays; those that had
 * stopped look at the credits again. The day after a decline is still waited for. The caller has locked the customer
 * for an update, or the wallet of the currency.
 */
export async function startTopUpsAgain(tx: Tx, { customerId, currency }: TopUpOwner): Promise<void> {
  const owned = currency === null ? { customerId } : { customerId, currency };
  const again = await tx.em.nativeUpdate(CreditTopUp, { ...owned, declines: { $gt: 0 } }, { declines: 0, stoppedAt: null });
  if (again > 0) await askTopUps(tx, [{ customerId, currency }]);
}
