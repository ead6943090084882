import type { EntityManager } from '@mikro-orm/postgresql';
import type { Currency } from '../../billing/money/currency.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { PaymentAttempt } from '../../db/entities/payment.ts';
import { PaymentMethod } from '../../db/entities/payment-method.ts';
import { lockCustomer } from '../customer/lock.ts';
import { chooseDefault, requestDetach } from '../payment/method.ts';
import { readSession, type Session } from '../payment/session.ts';
import type { PortalVisitor } from './token.ts';

/** Whether something of the customer waits to be paid. */
export const owes = async (em: EntityManager, customerId: string): Promise<boolean> =>
  (await em.count(Invoice, { customerId, status: 'ready_for_payment', amountDue: { $gt: '0' } })) > 0;

/** From now on this method pays automatically; what is overdue is tried with it at once. */
export async function chooseMethod(tx: Tx, { vendorId, customerId }: PortalVisitor, methodId: string): Promise<void> {
  await chooseDefault(tx, await lockCustomer(tx, vendorId, customerId, { lock: 'update' }), methodId);
}

/**
 * Takes a method away for its customer. The last one stays while an invoice is open, and one that is being charged
 * stays until the charge has ended. Two removals at once are decided one after the other, by the customer's lock.
 *
 * @throws Refusal `payment_method_not_found`, `payment_method_state`, `payment_in_progress`, `customer_frozen`
 */
export async function removeMethod(tx: Tx, { vendorId, customerId }: PortalVisitor, methodId: string): Promise<void> {
  await lockCustomer(tx, vendorId, customerId, { lock: 'update' });
  const { em } = tx;
  const mine = { vendorId, customer: customerId, status: { $ne: 'detached' as const } };
  if ((await em.count(PaymentMethod, { ...mine, id: methodId })) === 0)
    throw new Refusal('payment_method_not_found', 'this customer has no such payment method');
  const others = await em.count(PaymentMethod, { ...mine, status: 'active', id: { $ne: methodId } });
  if (others === 0 && (await owes(em, customerId)))
    throw new Refusal('payment_method_state', 'the last payment method stays while an invoice is open');
  if ((await em.count(PaymentAttempt, { customerId, methodId, status: 'processing' })) > 0)
    throw new Refusal('payment_in_progress', 'the payment method is being charged');
  await requestDetach(tx, vendorId, customerId, methodId);
}

/** A payment session of the visitor; null when the visitor has none with this token. */
export async function sessionOfVisitor(em: EntityManager, { vendorId, customerId }: PortalVisitor, token: string): Promise<Session | null> {
  const session = await readSession(em, token, vendorId);
  return session?.customerId === customerId ? session : null;
}

const USUAL_CURRENCY: Currency = 'usd';

/** The currency of the visitor's newest invoice: in which it usually pays. */
export async function usualCurrency(em: EntityManager, { customerId }: PortalVisitor): Promise<Currency> {
  const newest = await em.findOne(Invoice, { customerId }, { orderBy: { date: 'desc', id: 'desc' } });
  return newest?.currency ?? USUAL_CURRENCY;
}
