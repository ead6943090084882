import type { EntityManager } from '@mikro-orm/postgresql';
import { DAY, type Instant } from '../../billing/calendar/instant.ts';
import { initialState, next, triggersOf } from '../../billing/lifecycle/machine.ts';
import { type PaymentSessionTrigger, paymentSessionMachine } from '../../billing/lifecycle/payment-session.ts';
import type { ProviderName, SetupOutcome } from '../../billing/payment/types.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { Customer } from '../../db/entities/customer.ts';
import { PaymentSession, type PaymentSessionRecord } from '../../db/entities/payment.ts';
import { PaymentMethod } from '../../db/entities/payment-method.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import { enqueue, workflowIdOf } from '../../temporal/message-kinds.ts';
import { recordHistory } from '../customer/history.ts';
import { insertMethod, requestDetach, selectDefault } from './method.ts';

/** A payment session: 24 hours to set a method up. */
export type Session = PaymentSessionRecord;

const SESSION_LASTS = DAY;
/** Why a session fails whose customer may set nothing up any more. */
const ERASED_REASON = 'customer_erased';

/** Whether the session has reached a final state. */
const hasEnded = ({ status }: Session): boolean => triggersOf(paymentSessionMachine, status).length === 0;

/**
 * Finds a session by its token, which is a secret and enough on its own; a vendor's own requests name the vendor too.
 */
export const readSession = (em: EntityManager, token: string, vendorId: string | null = null): Promise<Session | null> =>
  em.findOne(PaymentSession, vendorId === null ? { token } : { token, vendorId });

/** The session a provider means by its own reference. */
export const sessionByReference = (em: EntityManager, provider: ProviderName, reference: string): Promise<Session | null> =>
  em.findOne(PaymentSession, { provider, reference });

/** The provider's id of the customer from an earlier session. */
export async function customerReferenceOf(em: EntityManager, customerId: string, provider: ProviderName): Promise<string | null> {
  const known = { customerId, provider, customerReference: { $ne: null } };
  return (await em.findOne(PaymentSession, known, { orderBy: { created: 'desc' } }))?.customerReference ?? null;
}

export type NewSession = Omit<Session, 'expires' | 'ended' | 'status' | 'reason' | 'methodId' | 'callerType'>;

/** Writes a session with its expiry on the customer's clock. */
export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  const expires = session.created + SESSION_LASTS;
  const { token, vendorId, customerId, clockId, created, provider, address, detachPrevious, planId, pricingId, ...atTheirs } = session;
  const { reference, customerReference, connectedAccountId, publishableKey } = atTheirs;
  const atProvider = { provider, reference, customerReference, connectedAccountId, publishableKey };
  const wanted = { address, detachPrevious, planId, pricingId, callerType: tx.caller.type };
  const status = initialState(paymentSessionMachine, 'open');
  tx.em.create(PaymentSession, { token, vendorId, customerId, clockId, created, expires, status, ...atProvider, ...wanted });
  const workflowId = workflowIdOf('customer', customerId);
  const whose = { vendorId, customerId, contractId: null, testClockId: clockId, workflowId, held: false };
  tx.em.create(Agenda, { ...whose, kind: 'session_expiry', subject: token, dueAt: expires, detail: {} });
  await tx.em.flush();
  enqueue(tx, 'customer', customerId);
}

/**
 * Ends a session by what its provider says; one that has ended stays as it is, so that late and repeated reports do no
 * harm. The first method of a customer becomes the default, and so does one that replaces the previous.
 */
export async function concludeSession(tx: Tx, token: string, outcome: SetupOutcome): Promise<void> {
  if (outcome.status === 'pending') return;
  const session = await lockSession(tx, token);
  if (session === null || hasEnded(session)) return;
  const now = await nowOf(tx, session.clockId);
  const fails = (reason: string) => endSession(tx, session, { trigger: 'fail', reason, methodId: null }, now);
  if (await isErased(tx, session.customerId)) return fails(ERASED_REASON);
  if (outcome.status === 'failed') return fails(outcome.reason);
  const methodId = await insertMethod(tx, session, outcome.method, now);
  if (methodId === null) return fails('method_of_another_customer');
  // the provider still shows what it is about to delete: the session waits for another one
  if (await isDetached(tx, methodId)) return;
  await endSession(tx, session, { trigger: 'succeed', reason: null, methodId }, now);
  await noteAdded(tx, session, methodId, now);
  await adopt(tx, session, methodId);
}

/**
 * If the session was opened in the portal, the history says that the customer added the method, even when the provider
 * reports it.
 */
async function noteAdded(tx: Tx, { callerType, customerId }: Session, methodId: string, at: Instant): Promise<void> {
  if (callerType !== 'portal') return;
  await recordHistory(tx, { customerId, kind: 'payment_method_added', object: methodId, at }, { type: 'portal', id: customerId });
}

/** The self-handled "set-up" has nothing to collect: from now on the vendor's own means pay. */
export async function concludeSelfHandled(tx: Tx, token: string): Promise<void> {
  const session = await lockSession(tx, token);
  if (session === null || hasEnded(session)) return;
  await endSession(tx, session, { trigger: 'succeed', reason: null, methodId: null }, await nowOf(tx, session.clockId));
  const previous = await defaultOf(tx, session.customerId);
  await selectDefault(tx, session.vendorId, session.customerId, 'manual');
  if (session.detachPrevious && isMethod(previous)) await requestDetach(tx, session.vendorId, session.customerId, previous);
}

/** Locks in the usual order: customer first. */
async function lockSession({ em }: Tx, token: string): Promise<Session | null> {
  const seen = await readSession(em, token);
  if (seen === null) return null;
  await em.findOne(Customer, { id: seen.customerId }, FOR_UPDATE);
  return em.findOne(PaymentSession, { token }, FOR_UPDATE);
}

const isErased = async ({ em }: Tx, customerId: string): Promise<boolean> =>
  (await em.findOneOrFail(Customer, { id: customerId })).erasedAt !== null;

const isDetached = async ({ em }: Tx, methodId: string): Promise<boolean> =>
  (await em.count(PaymentMethod, { id: methodId, status: 'detached' })) > 0;

async function adopt(tx: Tx, { vendorId, customerId, detachPrevious }: Session, methodId: string): Promise<void> {
  const previous = await defaultOf(tx, customerId);
  const others = await tx.em.count(PaymentMethod, { customer: customerId, id: { $ne: methodId }, status: 'active' });
  if (!detachPrevious && others > 0) return;
  await selectDefault(tx, vendorId, customerId, methodId);
  if (!detachPrevious || !isMethod(previous) || previous === methodId) return;
  await requestDetach(tx, vendorId, customerId, previous);
}

const defaultOf = async ({ em }: Tx, customerId: string): Promise<string> =>
  (await em.findOneOrFail(Customer, { id: customerId })).defaultPayment;

const isMethod = (selection: string): boolean => selection !== 'none' && selection !== 'manual';

interface SessionEnd {
  trigger: PaymentSessionTrigger;
  reason: string | null;
  methodId: string | null;
}

async function endSession(tx: Tx, session: Session, { trigger, reason, methodId }: SessionEnd, now: Instant): Promise<void> {
  const { token } = session;
  const status = next(paymentSessionMachine, session.status, trigger);
  tx.em.assign(session, { status, reason, methodId, ended: now });
  await tx.em.flush();
  const taken = await tx.em.nativeDelete(Agenda, { kind: 'session_expiry', subject: token });
  if (taken > 0) enqueue(tx, 'customer', session.customerId);
}

/** A session that is open, with the time on its customer's clock. */
export interface DueSession {
  session: Session;
  now: Instant;
}

/** Null when the session has ended or is unknown. */
export async function sessionDue(db: Database, token: string): Promise<DueSession | null> {
  const session = await readSession(db.em(), token);
  if (session === null || hasEnded(session)) return null;
  return { session, now: await nowOf(db, session.clockId) };
}

/** Sessions that are ended by one statement. */
const ENDED_AT_ONCE = 500;

/**
 * Ends some hundred open sessions of a customer who is erased: how many it has opened has no bound. Until the others
 * are ended too, they set nothing up.
 *
 * @returns whether there may be more
 */
export async function failSessions({ em }: Tx, customerId: string, now: Instant): Promise<boolean> {
  const open = { customerId, ended: null };
  const found = await em.find(PaymentSession, open, { fields: ['token'], limit: ENDED_AT_ONCE, disableIdentityMap: true });
  if (found.length === 0) return false;
  const tokens = { $in: found.map(({ token }) => token) };
  const status = next(paymentSessionMachine, 'pending', 'fail');
  await em.nativeUpdate(PaymentSession, { ...open, token: tokens }, { status, reason: ERASED_REASON, ended: now });
  await em.nativeDelete(Agenda, { kind: 'session_expiry', subject: tokens });
  return found.length === ENDED_AT_ONCE;
}

export async function expireSession(tx: Tx, token: string): Promise<void> {
  const session = await lockSession(tx, token);
  if (session === null || hasEnded(session)) return;
  const now = await nowOf(tx, session.clockId);
  if (session.expires <= now) await endSession(tx, session, { trigger: 'expire', reason: null, methodId: null }, now);
}
