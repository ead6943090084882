import { FIRST_INSTANT } from '../../billing/calendar/instant.ts';
import type { InvoiceTurn } from '../../billing/invoice/settlement.ts';
import { Refusal } from '../../billing/refusal.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { Customer } from '../../db/entities/customer.ts';
import { Wallet } from '../../db/entities/wallet.ts';
import { upsertAgenda } from '../../db/sql/agenda/upsert.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { lockWallets } from '../../db/sql/wallet/lock-wallets.ts';
import type { LockedWallet } from '../../db/sql/wallet/read-balances.ts';
import { setBalances } from '../../db/sql/wallet/set-balances.ts';
import type { Tx } from '../../db/transaction.ts';
import type { MoneyOwner } from '../../db/wallet/lock-money.ts';
import { enqueue, workflowIdOf } from '../../temporal/message-kinds.ts';
import { hasYetToPay } from './free.ts';

/** The row of a wallet that has more open invoices to pay than one transaction offers it. */
export const WALLET_REST = 'wallet_rest';

/** Milliseconds for which a row stays due since the first step; a minute later it would be overdue. */
const STAYS_DUE = 45_000;

/**
 * Leaves what wallets have yet to pay to the workflows of their customers, at once: before the receipts that the steps
 * so far have queued. Each time it is another row: one that stays the same would seem to be stuck.
 *
 * @param wallets locked
 */
export async function leaveRest(tx: Tx, wallets: readonly LockedWallet[]): Promise<void> {
  for (const { id: subject, vendorId, customerId, currency } of wallets) {
    const { clockId } = await tx.em.findOneOrFail(Customer, { id: customerId }, { fields: ['clockId'], disableIdentityMap: true });
    const now = await nowOf(tx, clockId);
    const before = await tx.em.findOne(Agenda, { kind: WALLET_REST, subject }, { fields: ['dueAt'], disableIdentityMap: true });
    await dropRest(tx, subject);
    const dueAt = Math.max(before?.dueAt ?? now, now - STAYS_DUE);
    const whose = { vendorId, customerId, contractId: null, clockId, workflowId: workflowIdOf('customer', customerId), held: false };
    await upsertAgenda(tx, [{ ...whose, kind: WALLET_REST, subject, dueAt, detail: { currency } }]);
    enqueue(tx, 'customer', customerId);
  }
}

/** A turn before that of any invoice. */
const BEFORE_ALL: InvoiceTurn = { id: '', date: FIRST_INSTANT, dueDate: FIRST_INSTANT };

/**
 * Has wallets that have yet to pay open invoices begin with the first one again in their next step: there is more to
 * pay with.
 *
 * @returns the tasks of the others
 */
export async function leaveToSteps<T extends MoneyOwner>(tx: Tx, tasks: readonly T[]): Promise<T[]> {
  if (tasks.length === 0) return [];
  const resting = (await lockWallets(tx, tasks)).filter(hasYetToPay);
  if (resting.length === 0) return [...tasks];
  await setBalances(
    tx,
    resting.map((wallet) => ({ ...wallet, paysAfter: BEFORE_ALL })),
  );
  return tasks.filter((task) => !resting.some((one) => one.customerId === task.customerId && one.currency === task.currency));
}

export const dropRest = ({ em }: Tx, walletId: string): Promise<number> =>
  em.nativeDelete(Agenda, { kind: WALLET_REST, subject: walletId });

/** In a freeze nothing is paid: its end offers all that is open, from the beginning. The customer is locked for it. */
export async function stopPaying(tx: Tx, customerId: string): Promise<void> {
  const found = await tx.em.find(Wallet, { customerId }, { fields: ['currency', 'paysAfter'], disableIdentityMap: true });
  const paying = found.filter(hasYetToPay).map(({ currency }) => ({ customerId, currency }));
  if (paying.length === 0) return;
  const wallets = await lockWallets(tx, paying);
  await setBalances(
    tx,
    wallets.map((wallet) => ({ ...wallet, paysAfter: null })),
  );
  for (const { id } of wallets) await dropRest(tx, id);
  enqueue(tx, 'customer', customerId);
}

/** Seconds until a repeat makes sense. */
const SOON = 1;

/**
 * Refuses to collect an invoice otherwise while credits and wallet have yet to pay open invoices of the customer.
 *
 * @throws Refusal `payment_in_progress`
 */
export async function refuseWhilePaying({ em }: Tx, { customerId, currency }: MoneyOwner): Promise<void> {
  const wallet = await em.findOne(Wallet, { customerId, currency }, { fields: ['paysAfter'], disableIdentityMap: true });
  if (!hasYetToPay(wallet)) return;
  const text = 'credits and wallet are still paying open invoices of this customer; send it again in a moment';
  throw new Refusal('payment_in_progress', text, {}, { retryAfter: SOON });
}
