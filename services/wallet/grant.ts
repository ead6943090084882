import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { settleWallets } from './settle.ts';

interface Grant {
  vendorId: string;
  customerId: string;
  currency: Currency;
  /** negative takes back */
  amount: string;
  description: string;
  at: Instant;
}

/**
 * The vendor gives money, or takes some back, and what was given pays open invoices at once.
 *
 * @returns id of the movement
 * @throws Refusal `wallet_insufficient` when the wallet would go below zero
 */
export async function grant(tx: Tx, { vendorId, customerId, currency, amount, description, at }: Grant): Promise<string> {
  const occasion = `grant:${newId('Txn')}`;
  if (dec(amount).isNegative()) await requireBalance(tx, customerId, currency, amount);
  const credit = { amount: moneyText(amount, currency), description, invoiceId: null, kind: 'grant' as const, occasion, at };
  const pays = !dec(amount).isNegative();
  await settleWallets(tx, [{ vendorId, customerId, currency, at, credits: [credit], drafts: [], pays }]);
  const [row] = await tx.query<{ id: string }>(
    'select t.id from wallet_transaction t join wallet w on w.id = t.wallet_id where w.customer_id = $1 and w.currency = $2 and t.occasion = $3',
    [customerId, currency, occasion],
  );
  if (row === undefined) throw new Error('a grant left no movement');
  return row.id;
}

async function requireBalance(tx: Tx, customerId: string, currency: Currency, amount: string): Promise<void> {
  const [wallet] = await tx.query<{ balance: string }>('select balance from wallet where customer_id = $1 and currency = $2 for update', [
    customerId,
    currency,
  ]);
  const balance = dec(wallet?.balance ?? '0');
  if (balance.plus(dec(amount)).isNegative()) {
    throw new Refusal('wallet_insufficient', `the wallet holds ${moneyText(balance, currency)} ${currency}`);
  }
}
