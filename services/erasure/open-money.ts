import { Refusal } from '../../billing/refusal.ts';
import type { Queryable, Tx } from '../../db/connect.ts';
import { findOpenMoney, type OpenMoney } from '../../db/sql/erasure/find-open.ts';

/** What a caller does about each kind of open money. */
const REMEDIES: Readonly<Record<OpenMoney['kind'], (id: string) => string>> = {
  contract: (id) => `${id} is live: cancel it`,
  usage_period: (id) => `usage of ${id} is open: close its periods`,
  invoice_item: (id) => `${id} is not invoiced: make its invoice`,
  invoice: (id) => `${id} is open: validate it and have it paid, void it, or credit it`,
  wallet: (currency) => `the wallet holds ${currency}: take it back`,
  credits: (id) => `${id} has prepaid credits left: void it`,
  payment: (id) => `the payment ${id} is under way: wait for its outcome`,
  refund: (id) => `the refund ${id} is under way: wait for its outcome`,
  dispute: (id) => `the dispute ${id} is open: wait for its end`,
};

/** @throws Refusal `money_open`, which names what is open and what to do about it */
export async function requireNothingOpen(tx: Tx, customerId: string): Promise<void> {
  const open = await findOpenMoney(tx, customerId);
  if (open.length === 0) return;
  const feedback = Object.fromEntries(open.map(({ kind, id }) => [kind, REMEDIES[kind](id)]));
  throw new Refusal('money_open', `Money is still open: ${Object.values(feedback).join('; ')}.`, feedback);
}

/** What of a customer's money is open, and what to do about it; empty: it can be erased. */
export const openMoneyWords = async (db: Queryable, customerId: string): Promise<string[]> =>
  (await findOpenMoney(db, customerId)).map(({ kind, id }) => REMEDIES[kind](id));
