import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, ZERO } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { Wallet, WalletTransaction } from '../../db/entities/wallet.ts';
import { newId } from '../../db/id.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import { freeMoney } from './free.ts';
import { settleWallets } from './settle.ts';

interface Grant {
  vendorId: string;
  customerId: string;
  currency: Currency;
  /** negative takes back */
  amount: string;
  description: string;
  at: Instant;
  /** `opening`: the balance of another system, which an import takes over */
  kind?: 'grant' | 'opening';
}

/**
 * The vendor gives money, or takes some back, and what was given pays open invoices at once.
 *
 * @returns id of the movement
 * @throws Refusal `wallet_insufficient` when the wallet would go below zero
 */
export async function grant(tx: Tx, { vendorId, customerId, currency, amount, description, at, kind = 'grant' }: Grant): Promise<string> {
  const occasion = `${kind}:${newId('Txn')}`;
  if (dec(amount).isNegative()) await requireBalance(tx, customerId, currency, amount);
  const credit = { amount: moneyText(amount, currency), description, invoiceId: null, kind, occasion, at };
  const pays = !dec(amount).isNegative();
  await settleWallets(tx, [{ vendorId, customerId, currency, at, credits: [credit], newInvoices: [], pays }]);
  const movement = await tx.em.findOneOrFail(WalletTransaction, { wallet: { customerId, currency }, occasion });
  return movement.id;
}

async function requireBalance(tx: Tx, customerId: string, currency: Currency, amount: string): Promise<void> {
  const wallet = await tx.em.findOne(Wallet, { customerId, currency }, FOR_UPDATE);
  const free = wallet === null ? ZERO : await freeMoney(tx, wallet);
  if (free.plus(dec(amount)).isNegative()) {
    throw new Refusal('wallet_insufficient', `the wallet has ${moneyText(free, currency)} ${currency} that isn't held`);
  }
}
