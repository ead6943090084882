import type { RequiredEntityData } from '@mikro-orm/core';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { GrantKind } from '../../billing/credit/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import { Refusal, refuse } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { Feature, Plan } from '../../db/entities/catalogue.ts';
import { CreditGrant, type CreditGrantRecord } from '../../db/entities/credit.ts';
import type { CreditTopUpRecord } from '../../db/entities/credit-top-up.ts';
import { newId } from '../../db/id.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import { openWallets } from '../../db/sql/wallet/open-wallets.ts';
import { lockMoney } from '../../db/wallet/lock-money.ts';
import { lockForChange } from '../credit-note/create.ts';
import { type LockedCustomer, lockCustomer } from '../customer/lock.ts';
import { settleWallets } from '../wallet/settle.ts';
import { planExpiries } from './agenda.ts';
import { endUnpaid, isOpen } from './end-unpaid.ts';
import { moveGrants } from './move.ts';
import { issueSale, planSale } from './purchase.ts';
import { awaitsPayment } from './read.ts';

/** The priority of what nobody has given one. */
export const USUAL_PRIORITY = 50;

/** What is granted, and for what. */
export interface NewGrant {
  vendorId: string;
  customerId: string;
  currency: Currency;
  kind: GrantKind;
  amount: string;
  /** of bought credits; null: a gift */
  price: string | null;
  /** null: now */
  effectiveAt: Instant | null;
  expiresAt: Instant | null;
  priority: number;
  features: string[] | null;
  plans: string[] | null;
  description: string | null;
}

/**
 * Grants prepaid credits. They pay what is open and lies in their life at once.
 *
 * @returns id of the grant
 * @throws Refusal `customer_not_found`, `customer_frozen`, `clock_advancing`, `past_date`, `plan_not_found`,
 *   `feature_not_found`
 */
export async function grantCredits(tx: Tx, given: NewGrant): Promise<string> {
  const { vendorId, customerId, currency, kind, expiresAt } = given;
  // what charges the customer takes `key share` first: it waits and sees the grant, or its invoice is seen here
  const customer = await lockCustomer(tx, vendorId, customerId, { lock: 'update' });
  const { now, clockId } = customer;
  const effectiveAt = given.effectiveAt ?? now;
  if (expiresAt !== null && expiresAt <= Math.max(now, effectiveAt))
    refuse('past_date', 'give an instant after now and after effective_at', 'expires_at');
  await requireKnown(tx, given);
  const id = newId('Grant');
  const amount = moneyText(given.amount, currency);
  const { priority, features, plans, description } = given;
  const row = {
    id,
    vendorId,
    customerId,
    currency,
    kind,
    amount,
    balance: moneyText('0', currency),
    priority,
    features,
    plans,
    description,
  };
  const time = { effectiveAt, expiresAt, created: now };
  await openWallets(tx, [{ vendorId, customerId, currency }]);
  if (given.price !== null) return sell(tx, customer, { ...row, ...time, price: given.price });
  tx.em.create(CreditGrant, { ...row, ...time });
  await tx.em.flush();
  const grant = { id, vendorId, customerId, currency, kind, contractId: null, balance: '0' };
  await moveGrants(tx, [{ id: newId('Txn'), grant, kind: 'granted', amount, at: now, occasion: 'granted' }]);
  await planExpiries(tx, { id: customerId, vendorId, clockId }, [{ id, expiresAt }]);
  await settleWallets(tx, [{ vendorId, customerId, currency, at: now, credits: [], newInvoices: [], pays: true }]);
  return id;
}

type SoldGrant = Pick<CreditGrantRecord, 'id' | 'currency' | 'amount' | 'expiresAt'> &
  RequiredEntityData<CreditGrantRecord> & { price: string; topUpId?: string };

/** Bought credits are granted when their invoice is paid. */
async function sell(tx: Tx, customer: LockedCustomer, grant: SoldGrant): Promise<string> {
  const { id, currency, amount, expiresAt } = grant;
  const price = moneyText(grant.price, currency);
  const sale = await planSale(tx, customer, { grantId: id, currency, amount, price, topUpId: grant.topUpId ?? null });
  tx.em.create(CreditGrant, { ...grant, price, invoiceId: sale.invoice.id });
  await tx.em.flush();
  await planExpiries(tx, customer, [{ id, expiresAt }]);
  await issueSale(tx, customer, sale);
  return id;
}

/** Buys what a top-up says; it pays everything, and never expires. */
export async function buyForTopUp(tx: Tx, customer: LockedCustomer, topUp: CreditTopUpRecord): Promise<void> {
  const { id: topUpId, vendorId, customerId, currency, amount, price } = topUp;
  const what = { id: newId('Grant'), vendorId, customerId, currency, kind: 'purchased' as const, amount, price, topUpId };
  const nothing = { balance: moneyText('0', currency), features: null, plans: null, description: null, expiresAt: null };
  await sell(tx, customer, { ...what, ...nothing, priority: USUAL_PRIORITY, effectiveAt: customer.now, created: customer.now });
}

/** Refuses plans and features that the vendor doesn't have: credits limited to them would never pay anything. */
async function requireKnown({ em }: Tx, { vendorId, features, plans }: NewGrant): Promise<void> {
  const known = await em.find(Plan, { vendor: vendorId, id: { $in: plans ?? [] } }, { fields: ['id'] });
  const unknown = (plans ?? []).find((id) => !known.some((plan) => plan.id === id));
  if (unknown !== undefined) throw new Refusal('plan_not_found', `there is no plan ${unknown}`, { applies_to: `${unknown} is not known` });
  for (const slug of features ?? []) {
    if ((await em.count(Feature, { slug, plan: { vendor: vendorId } })) === 0)
      throw new Refusal('feature_not_found', `no plan has a feature ${slug}`, { applies_to: `${slug} is not known` });
  }
}

/**
 * Takes away what is left of a grant. What a payment gate holds of it can't be taken.
 *
 * @throws Refusal `credit_grant_not_found`, `credit_grant_state`, and those of the customer's lock
 */
export async function voidGrant(tx: Tx, vendorId: string, grantId: string): Promise<void> {
  const found = await tx.em.findOne(CreditGrant, { id: grantId, vendorId }, { fields: GRANT_OWNER });
  if (found === null) throw new Refusal('credit_grant_not_found', `There is no credit grant ${grantId}.`);
  if (awaitsPayment(found) && found.invoiceId !== null) return voidUnpaid(tx, vendorId, found.invoiceId);
  const { now, id: customerId, clockId } = await lockCustomer(tx, vendorId, found.customerId);
  await lockMoney(tx, [found]);
  const grant = await lockGrant(tx, grantId);
  if (grant.voidedAt !== null) throw new Refusal('credit_grant_state', 'the grant is voided already');
  if (dec(grant.balance).isZero()) throw new Refusal('credit_grant_state', 'nothing is left of the grant');
  if (dec(grant.held).gt(0)) throw new Refusal('credit_grant_state', 'a payment gate holds a part of the grant until it ends');
  const amount = dec(grant.balance).neg().toFixed();
  await moveGrants(tx, [{ id: newId('Txn'), grant, kind: 'voided', amount, at: now, occasion: 'voided' }]);
  await planExpiries(tx, { id: customerId, vendorId, clockId }, [{ id: grantId, expiresAt: null }]);
}

const GRANT_OWNER = ['customerId', 'currency', 'invoiceId', 'paidAt', 'voidedAt'] as const;

/** Credits that nobody has paid: nothing is owed for them any more. */
async function voidUnpaid(tx: Tx, vendorId: string, invoiceId: string): Promise<void> {
  const { invoice, now } = await lockForChange(tx, vendorId, invoiceId);
  if (!(await isOpen(tx, invoice))) throw new Refusal('credit_grant_state', 'the credits were paid meanwhile');
  await endUnpaid(tx, invoice, now);
}

/** A grant as it is now, locked; SQL changes it, so that no copy of it is kept. */
const lockGrant = ({ em }: Tx, id: string) => em.findOneOrFail(CreditGrant, { id }, { ...FOR_UPDATE, disableIdentityMap: true });
