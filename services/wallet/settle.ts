import type { Instant } from '../../billing/calendar/instant.ts';
import type { Queryable, Tx } from '../../db/connect.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { currenciesWithMoney } from '../../db/sql/wallet/currencies-with-money.ts';
import { payInvoicesByWallet } from '../../db/sql/wallet/pay-invoices.ts';
import { grantBought } from '../credit/bought.ts';
import { stopCollecting } from '../payment/stop-collecting.ts';
import { moveWallets, type WalletPaid, type WalletTask } from './move.ts';

/**
 * Lets wallets gain and pay, and updates the invoices in the database that they pay. To be called whenever a wallet
 * gains money, an invoice becomes `ready_for_payment`, or a customer may be collected from again.
 *
 * @returns every payment made
 */
export async function settleWallets(tx: Tx, tasks: readonly WalletTask[]): Promise<WalletPaid[]> {
  const paid = await moveWallets(tx, tasks);
  await applyToInvoices(tx, paid);
  return paid;
}

/**
 * Updates stored invoices with what remains to be paid after the wallet's payments. Credits that are bought with that
 * are granted, and pay what else is open.
 */
export async function applyToInvoices(tx: Tx, paid: readonly WalletPaid[]): Promise<void> {
  if (paid.length === 0) return;
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
      at,
      data: { customer_id: customerId, contract_id: contractId },
    })),
  );
  const bought = settled.filter(({ contractId }) => contractId === null);
  for (const { id, at } of bought) await settleWallets(tx, await grantBought(tx, [id], at));
}

/** A task for each currency in which the customer has money: what its wallets can pay now. */
export async function tasksOfCustomer(tx: Queryable, vendorId: string, customerId: string, at: Instant): Promise<WalletTask[]> {
  const currencies = await currenciesWithMoney(tx, customerId);
  return currencies.map((currency) => ({ vendorId, customerId, currency, at, credits: [], newInvoices: [], pays: true }));
}
