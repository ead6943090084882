import type { Currency } from '../../billing/money/currency.ts';
import { moneyText } from '../../billing/money/round.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { CreditTopUp } from '../../db/entities/credit-top-up.ts';
import { newId } from '../../db/id.ts';
import { noteWatched } from '../../db/sql/customer/note-watched.ts';
import { openWallets } from '../../db/sql/wallet/open-wallets.ts';
import { lockCustomer } from '../customer/lock.ts';
import { askTopUps, dropTopUpRows } from './ask-top-up.ts';

/** A top-up as it is asked for. */
export interface NewTopUp {
  vendorId: string;
  customerId: string;
  currency: Currency;
  below: string;
  amount: string;
  price: string;
  atMostPerMonth: string;
}

/**
 * Sets the top-up of a customer in a currency; the one before is replaced, and buys again where it had stopped. The
 * customer is locked for an update, as for a limit: each later event finds it.
 *
 * @returns its id
 * @throws Refusal `customer_not_found`, `customer_frozen`, `clock_advancing`
 */
export async function setTopUp(tx: Tx, { vendorId, customerId, currency, ...asked }: NewTopUp): Promise<string> {
  const { now } = await lockCustomer(tx, vendorId, customerId, { lock: 'update' });
  const money = (amount: string): string => moneyText(amount, currency);
  const terms = {
    below: money(asked.below),
    amount: money(asked.amount),
    price: money(asked.price),
    atMostPerMonth: money(asked.atMostPerMonth),
  };
  const known = await tx.em.findOne(CreditTopUp, { customerId, currency });
  const topUp =
    known === null
      ? tx.em.create(CreditTopUp, {
          id: newId('TopUp'),
          vendorId,
          customerId,
          currency,
          created: now,
          pausedUntil: null,
          stoppedAt: null,
          ...terms,
        })
      : tx.em.assign(known, { ...terms, declines: 0, stoppedAt: null });
  await tx.em.flush();
  await openWallets(tx, [{ vendorId, customerId, currency }]);
  await noteWatched(tx, customerId);
  await askTopUps(tx, [{ customerId, currency }]);
  return topUp.id;
}

/** @throws Refusal `customer_not_found`, `customer_frozen`, `clock_advancing`, `top_up_not_found` */
export async function deleteTopUp(tx: Tx, vendorId: string, customerId: string, id: string): Promise<void> {
  await lockCustomer(tx, vendorId, customerId, { lock: 'update' });
  if ((await tx.em.nativeDelete(CreditTopUp, { id, customerId })) === 0)
    throw new Refusal('top_up_not_found', `The customer has no top-up ${id}.`);
  await dropTopUpRows(tx, [id]);
  await noteWatched(tx, customerId);
}
