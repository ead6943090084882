import type { EntityManager } from '@mikro-orm/postgresql';
import { type OpenInvoice, settle, type WalletPayment } from '../../billing/invoice/settlement.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { Wallet } from '../../db/entities/wallet.ts';

/** With money in the wallet hardly any invoice is open: it pays as soon as it has any. */
const MOST_OPEN = 1_000;

/** What is to come: money that the wallet gains, and invoices that are made. */
interface ToCome {
  surplus?: string;
  newInvoices?: readonly OpenInvoice[];
}

/**
 * What a customer's wallet will pay, by the rule that wallets pay by and from what is stored now: it gains the surplus
 * first and then pays what is open, the oldest due first. Invoices that are being charged are left to their payment.
 *
 * @returns the payments by invoice
 */
export async function foreseeWalletPayments(
  em: EntityManager,
  { customerId, currency }: { customerId: string; currency: Currency },
  { surplus = '0', newInvoices = [] }: ToCome = {},
): Promise<Map<string, WalletPayment>> {
  const wallet = await em.findOne(Wallet, { customerId, currency });
  const balance = moneyText(
    dec(wallet?.balance ?? '0')
      .minus(dec(wallet?.held ?? '0'))
      .plus(surplus),
    currency,
  );
  if (dec(balance).isZero()) return new Map();
  const open = await em.find(
    Invoice,
    { customerId, currency, status: 'ready_for_payment', amountDue: { $gt: '0' }, depositTransactionStatus: { $ne: 'processing' } },
    { orderBy: { dueDate: 'asc', date: 'asc', id: 'asc' }, limit: MOST_OPEN },
  );
  const waiting = open.map(({ id, date, dueDate, amountDue: remaining }) => ({ id, date, dueDate, remaining }));
  const { payments } = settle(balance, [...waiting, ...newInvoices], currency);
  return new Map(payments.map((payment) => [payment.invoiceId, payment]));
}
