import type { Instant } from '../../billing/calendar/instant.ts';
import type { Tx } from '../../db/connect.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { payInvoicesByWallet } from '../../db/sql/wallet/pay-invoices.ts';
import { grantBought } from '../credit/bought.ts';
import { queueEmails } from '../email/queue.ts';
import { stopCollecting } from '../payment/stop-collecting.ts';
import { moveWallets, type WalletPaid, type WalletTask } from './move.ts';
import { leaveToSteps } from './rest.ts';

/**
 * Lets wallets gain and pay, and updates the invoices in the database that they pay. To be called whenever a wallet
 * gains money, an invoice becomes `ready_for_payment`, or a customer may be collected from again.
 *
 * @returns every payment made
 */
export async function settleWallets(tx: Tx, tasks: readonly WalletTask[]): Promise<WalletPaid[]> {
  const paid = await moveWallets(tx, tasks);
  const bought = await applyToInvoices(tx, paid);
  return bought.length === 0 ? paid : [...paid, ...(await settleWallets(tx, bought))];
}

/**
 * Updates stored invoices with what remains to be paid after the wallet's payments. Credits that are bought with that
 * are granted.
 *
 * @returns what these credits may pay now, for the wallets to be settled again: one task for each of them, however many
 *   purchases are paid, since what credits pay is decided task by task. None for a wallet that has yet to pay open
 *   invoices: its next step offers them to these credits too, so that no transaction pays more than one step
 */
export async function applyToInvoices(tx: Tx, paid: readonly WalletPaid[]): Promise<WalletTask[]> {
  if (paid.length === 0) return [];
  const changed = await payInvoicesByWallet(tx, paid);
  const settled = changed.filter((invoice) => invoice.status === 'paid');
  await stopCollecting(
    tx,
    settled.map(({ id }) => id),
  );
  await publish(
    tx,
    settled.map(({ id, vendorId, customerId, contractId, at }) => ({
      vendorId,
      type: 'v1.invoice.paid',
      objectId: id,
      contractId,
      at,
      data: { customer_id: customerId, contract_id: contractId },
    })),
  );
  await queueEmails(
    tx,
    settled.map(({ id, customerId }) => ({ customerId, kind: 'receipt', objectId: id })),
  );
  const bought = settled.filter(({ contractId }) => contractId === null);
  const tasks = new Map<string, WalletTask>();
  for (const [at, paidThen] of Map.groupBy(bought, (invoice) => invoice.at)) {
    const ids = paidThen.map(({ id }) => id);
    for (const task of await grantBought(tx, ids, at)) tasks.set(`${task.customerId} ${task.currency}`, task);
  }
  return leaveToSteps(tx, [...tasks.values()]);
}

type Owner = Pick<WalletTask, 'vendorId' | 'customerId' | 'currency'>;

/** What the wallet and the credits of a customer can pay now in a currency. */
export const payingTask = ({ vendorId, customerId, currency }: Owner, at: Instant): WalletTask => ({
  ...{ vendorId, customerId, currency, at },
  ...{ credits: [], newInvoices: [], pays: true },
});

/** The same where nothing has happened but that one invoice in the database may be paid now. */
export const payingInvoice = (invoice: Owner & { id: string }, at: Instant): WalletTask => ({
  ...payingTask(invoice, at),
  about: invoice.id,
});
