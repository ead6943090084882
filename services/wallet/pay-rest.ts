import type { Database } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { Wallet } from '../../db/entities/wallet.ts';
import { lockWallets } from '../../db/sql/wallet/lock-wallets.ts';
import type { Tx } from '../../db/transaction.ts';
import type { MoneyOwner } from '../../db/wallet/lock-money.ts';
import { workflowIdOf } from '../../temporal/message-kinds.ts';
import { expireGrants } from '../credit/expire.ts';
import { leaveToTheClock } from '../credit/leave-to-the-clock.ts';
import { lockCustomer } from '../customer/lock.ts';
import { planCustomer } from '../payment/plan.ts';
import { hasYetToPay } from './free.ts';
import { dropRest, stopPaying, WALLET_REST } from './rest.ts';
import { payingTask, settleWallets } from './settle.ts';

/**
 * Has the wallets of a customer go on that have more open invoices to pay than one transaction offers them, each by one
 * step; a second run takes the next one, or finds nothing to do. On a test clock only while it stands still.
 */
export async function payRestOfCustomer(db: Database, customerId: string): Promise<void> {
  const rows = await db.em().find(Agenda, { kind: WALLET_REST, customerId }, { orderBy: { id: 'asc' } });
  const within = workflowIdOf('customer', customerId);
  for (const { subject, testClockId } of rows) {
    const by = testClockId === null ? 'timer' : 'clock';
    await db.transaction((tx) => payRest(tx, subject, 'refuse'), { by, within }).catch(leaveToTheClock);
  }
}

/**
 * Offers the next open invoices to a customer's credits and wallet. Behind the last one what credits have waited with
 * expires, and what is left is planned to be collected otherwise.
 *
 * @returns whether there is more to do
 * @throws Refusal `clock_advancing` where that is to be refused
 */
export async function payRest(tx: Tx, walletId: string, advancing: 'refuse' | 'allow' = 'allow'): Promise<boolean> {
  const seen = await tx.em.findOneOrFail(
    Wallet,
    { id: walletId },
    { fields: ['vendorId', 'customerId', 'currency'], disableIdentityMap: true },
  );
  const owner = { vendorId: seen.vendorId, customerId: seen.customerId, currency: seen.currency };
  const { now, status } = await lockCustomer(tx, owner.vendorId, owner.customerId, { lock: 'update', frozen: 'allow', advancing });
  if (status === 'inactive') {
    await stopPaying(tx, owner.customerId);
    return false;
  }
  await settleWallets(tx, [{ ...payingTask(owner, now), goesOn: true }]);
  if (await isPaying(tx, owner)) return true;
  await dropRest(tx, walletId);
  await expireGrants(tx, [owner], now);
  await planCustomer(tx, owner.customerId);
  // what lasts on of a grant that has expired may have begun again
  return isPaying(tx, owner);
}

const isPaying = async (tx: Tx, owner: MoneyOwner): Promise<boolean> => (await lockWallets(tx, [owner])).some(hasYetToPay);
