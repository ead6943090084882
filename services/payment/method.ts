import type { Loaded } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { EventType } from '../../billing/event-types.ts';
import { cardReminderAt } from '../../billing/payment/card-reminder.ts';
import type { MethodDetails, MethodRef, MethodType, NewMethod, ProviderName } from '../../billing/payment/types.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { Customer } from '../../db/entities/customer.ts';
import { PaymentMethod, type PaymentMethodRecord } from '../../db/entities/payment-method.ts';
import { newId } from '../../db/id.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { type PublishedEvent, publish } from '../../db/sql/event/publish.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { startTopUpsAgain } from '../credit/start-again.ts';
import { recordPortalAct } from '../customer/history.ts';
import type { LockedCustomer } from '../customer/lock.ts';
import { planCardEmail } from '../email/plan.ts';
import { payGatesBy } from '../payment-gate/choose-method.ts';
import { planCustomer } from './plan.ts';

/** A payment method of a customer. */
export interface Method {
  id: string;
  customerId: string;
  created: Instant;
  type: MethodType;
  provider: ProviderName;
  status: PaymentMethodRecord['status'];
  details: MethodDetails;
  holderName: string | null;
  isDefault: boolean;
}

/** What pays automatically: a method, nothing, or the vendor's own means. */
export type Selection = 'none' | 'manual' | (string & {});

const toMethod = (method: Loaded<PaymentMethodRecord, 'customer'>): Method => {
  const { id, customer, created, type, provider, status, details, holderName } = method;
  return { id, customerId: customer.id, created, type, provider, status, details, holderName, isDefault: customer.$.defaultPayment === id };
};

/** A customer sets up as many as it likes, and a list is read whole. */
const MOST_METHODS = 1_000;

/**
 * The latest methods of a customer, oldest first, without detached ones.
 *
 * @param most how many; the default one is among them, however old it is
 */
export async function listMethods(em: EntityManager, vendorId: string, customerId: string, most = MOST_METHODS): Promise<Method[]> {
  const kept = { vendorId, customer: customerId, status: { $ne: 'detached' as const } };
  const latest = { orderBy: { created: 'desc', id: 'desc' }, limit: most } as const;
  const methods = (await em.find(PaymentMethod, kept, { populate: ['customer'], ...latest })).reverse().map(toMethod);
  const others = methods.length < most || methods.some(({ isDefault }) => isDefault) ? null : await readDefault(em, vendorId, customerId);
  return others === null ? methods : [others, ...methods.slice(1)];
}

/** The method that pays by itself; null: none does. */
export async function readDefault(em: EntityManager, vendorId: string, customerId: string): Promise<Method | null> {
  const customer = await em.findOne(Customer, { id: customerId, vendorId });
  return customer === null ? null : readMethod(em, vendorId, customerId, customer.defaultPayment);
}

export async function readMethod(em: EntityManager, vendorId: string, customerId: string, id: string): Promise<Method | null> {
  const method = await em.findOne(PaymentMethod, { id, vendorId, customer: customerId }, { populate: ['customer'] });
  return method === null ? null : toMethod(method);
}

/** Methods by id, detached ones too. */
export async function readMethods(em: EntityManager, vendorId: string, ids: readonly string[]): Promise<Method[]> {
  const methods = await em.find(PaymentMethod, { vendorId, id: { $in: [...ids] } }, { populate: ['customer'] });
  return methods.map(toMethod);
}

/**
 * Writes a method that was set up, once for each of the provider's references.
 *
 * @returns its id; null when it is another customer's
 */
export async function insertMethod(
  tx: Tx,
  owner: { vendorId: string; customerId: string; clockId: string | null; provider: ProviderName },
  method: NewMethod,
  at: Instant,
): Promise<string | null> {
  const { em } = tx;
  const { vendorId, customerId: customer, clockId, provider } = owner;
  const state = { created: at, status: 'active', detachPending: false, remindAt: expiryReminderAt(method, at) } as const;
  const row = { ...method, ...state, id: newId('CPMet'), vendorId, customer, clockId, provider };
  const { affectedRows } = await em.createQueryBuilder(PaymentMethod).insert(row).onConflict(['provider', 'reference']).ignore().execute();
  if (affectedRows > 0) await publish(tx, [methodEvent('v1.payment_method.added', owner, row.id, at)]);
  const kept = await em.findOne(PaymentMethod, { provider, reference: method.reference, customer });
  return kept?.id ?? null;
}

/** When the reminder is due that a card will expire; null for one that is set up in its last month. */
function expiryReminderAt({ details }: NewMethod, now: Instant): Instant | null {
  const at = cardReminderAt(details);
  return at === null || at <= now ? null : at;
}

type MethodEventType = Extract<EventType, 'v1.payment_method.added' | 'v1.payment_method.detached'>;

/** Its object is the method; the publisher has locked the customer `for update`. */
export const methodEvent = (
  type: MethodEventType,
  { vendorId, customerId }: { vendorId: string; customerId: string },
  id: string,
  at: Instant,
): PublishedEvent => ({ vendorId, type, objectId: id, at, data: { customer_id: customerId } });

/**
 * Chooses what pays automatically; overdue invoices, and what waits for its payment, are tried with it at once, and
 * top-ups buy again that had stopped. The caller has locked the customer `for update`.
 */
export async function selectDefault(tx: Tx, vendorId: string, customerId: string, selection: Selection): Promise<void> {
  if (selection !== 'none' && selection !== 'manual') await requireActive(tx, vendorId, customerId, selection);
  const customer = await tx.em.findOneOrFail(Customer, { id: customerId });
  const isNew = customer.defaultPayment !== selection;
  customer.defaultPayment = selection;
  await tx.em.flush();
  if (tx.sendsMail) {
    const method = await tx.em.findOne(PaymentMethod, { id: selection, customer });
    await planCardEmail(tx, customerId, method, await nowOf(tx, customer.clockId));
  }
  await planCustomer(tx, customerId);
  if (selection === 'none' || selection === 'manual') return;
  await payGatesBy(tx, customerId, selection);
  if (isNew) await startTopUpsAgain(tx, { customerId, currency: null });
}

/** A caller's own choice of what pays automatically. The caller has locked the customer `for update`. */
export async function chooseDefault(tx: Tx, { vendorId, id: customerId, now }: LockedCustomer, selection: Selection): Promise<void> {
  await selectDefault(tx, vendorId, customerId, selection);
  await recordPortalAct(tx, { customerId, kind: 'payment_method_selected', object: selection, at: now });
}

async function requireActive({ em }: Tx, vendorId: string, customerId: string, id: string): Promise<void> {
  const method = await readMethod(em, vendorId, customerId, id);
  if (method === null) throw new Refusal('payment_method_not_found', 'this customer has no such payment method');
  if (method.status !== 'active') throw new Refusal('payment_method_state', `the payment method is ${method.status}`);
}

/**
 * Detaches a method; afterwards its provider is asked to delete it, until it has. If it was the default, nothing pays
 * automatically any more. A second call changes nothing.
 */
export async function requestDetach(tx: Tx, vendorId: string, customerId: string, id: string): Promise<void> {
  const method = await tx.em.findOne(PaymentMethod, { id, vendorId, customer: customerId }, { populate: ['customer'] });
  if (method === null) throw new Refusal('payment_method_not_found', 'this customer has no such payment method');
  if (method.status === 'detached') return;
  tx.em.assign(method, { status: 'detached', detachPending: true });
  await tx.em.flush();
  enqueue(tx, 'detach', id);
  const at = await nowOf(tx, method.customer.$.clockId);
  await publish(tx, [methodEvent('v1.payment_method.detached', { vendorId, customerId }, id, at)]);
  await recordPortalAct(tx, { customerId, kind: 'payment_method_removed', object: id, at });
  if (method.customer.$.defaultPayment === id) await selectDefault(tx, vendorId, customerId, 'none');
}

/** Methods that one transaction detaches. */
const DETACHED_AT_ONCE = 50;

/**
 * Detaches some methods of a customer who is erased, the default first: how many it has set up has no bound. The caller
 * has locked the customer `for update`.
 *
 * @returns whether there may be more
 */
export async function detachSome(tx: Tx, vendorId: string, customerId: string): Promise<boolean> {
  const { defaultPayment } = await tx.em.findOneOrFail(Customer, { id: customerId });
  const kept = { customer: customerId, status: { $ne: 'detached' as const } };
  const isDefault = await tx.em.count(PaymentMethod, { ...kept, id: defaultPayment });
  if (isDefault > 0) await requestDetach(tx, vendorId, customerId, defaultPayment);
  const found = await tx.em.find(PaymentMethod, kept, { fields: ['id'], orderBy: { id: 'asc' }, limit: DETACHED_AT_ONCE });
  for (const { id } of found) await requestDetach(tx, vendorId, customerId, id);
  return found.length === DETACHED_AT_ONCE;
}

/** A method that its provider still has to delete; null when it has done so. */
export const pendingDetach = (em: EntityManager, id: string): Promise<(MethodRef & { provider: ProviderName }) | null> =>
  em.findOne(PaymentMethod, { id, detachPending: true });

export async function detachHeard(em: EntityManager, id: string): Promise<void> {
  await em.nativeUpdate(PaymentMethod, { id }, { detachPending: false });
}
