import { DAY, type Instant } from '../../billing/calendar/instant.ts';
import { born, triggersOf } from '../../billing/lifecycle/machine.ts';
import { type PaymentSessionState, type PaymentSessionTrigger, paymentSessionMachine } from '../../billing/lifecycle/payment-session.ts';
import type { ProviderName, SetupOutcome } from '../../billing/payment/types.ts';
import { nowOf } from '../../db/clock/now.ts';
import type { Queryable, Tx } from '../../db/connect.ts';
import { insertRows, stamp, stampOrNull } from '../../db/rows.ts';
import { statusMove } from '../../db/sql/status.ts';
import { enqueue, workflowIdOf } from '../../temporal/message-kinds.ts';
import { detachMethod, insertMethod, selectDefault } from './method.ts';

/** A payment session: 24 hours to set a method up. */
export interface Session {
  token: string;
  vendorId: string;
  customerId: string;
  clockId: string | null;
  created: Instant;
  expires: Instant;
  ended: Instant | null;
  status: PaymentSessionState;
  reason: string | null;
  provider: ProviderName;
  address: boolean;
  detachPrevious: boolean;
  planId: string | null;
  pricingId: string | null;
  reference: string;
  customerReference: string | null;
  connectedAccountId: string | null;
  publishableKey: string | null;
  methodId: string | null;
}

const COLUMNS = `id as token, vendor_id as "vendorId", customer_id as "customerId", test_clock_id as "clockId", created, expires, ended, status,
  reason, provider, address, detach_previous as "detachPrevious", plan_id as "planId", pricing_id as "pricingId", reference,
  customer_reference as "customerReference", connected_account_id as "connectedAccountId", publishable_key as "publishableKey",
  method_id as "methodId"`;

const SESSION_LASTS = DAY;

/** Nothing leads on from its state. */
const hasEnded = ({ status }: Session): boolean => triggersOf(paymentSessionMachine, status).length === 0;

/** By its token alone, which is the secret; a vendor is named where the caller is one. */
export async function readSession(db: Queryable, token: string, vendorId: string | null = null): Promise<Session | null> {
  const [row] = await db.query<Session>(`select ${COLUMNS} from payment_session where id = $1 and ($2::text is null or vendor_id = $2)`, [
    token,
    vendorId,
  ]);
  return row ?? null;
}

/** The session a provider means by its own reference. */
export async function sessionByReference(db: Queryable, provider: ProviderName, reference: string): Promise<Session | null> {
  const [row] = await db.query<Session>(`select ${COLUMNS} from payment_session where provider = $1 and reference = $2`, [
    provider,
    reference,
  ]);
  return row ?? null;
}

/** The provider's id of the customer from an earlier session. */
export async function customerReferenceOf(db: Queryable, customerId: string, provider: ProviderName): Promise<string | null> {
  const [row] = await db.query<{ reference: string }>(
    `select customer_reference as reference from payment_session
     where customer_id = $1 and provider = $2 and customer_reference is not null order by created desc limit 1`,
    [customerId, provider],
  );
  return row?.reference ?? null;
}

export type NewSession = Omit<Session, 'expires' | 'ended' | 'status' | 'reason' | 'methodId'>;

/** Writes a session with its expiry on the customer's clock. */
export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  const expires = session.created + SESSION_LASTS;
  await insertRows(tx, 'payment_session', [
    {
      id: session.token,
      vendor_id: session.vendorId,
      customer_id: session.customerId,
      test_clock_id: session.clockId,
      created: stamp(session.created),
      expires: stamp(expires),
      status: born(paymentSessionMachine, 'open'),
      provider: session.provider,
      address: session.address,
      detach_previous: session.detachPrevious,
      plan_id: session.planId,
      pricing_id: session.pricingId,
      reference: session.reference,
      customer_reference: session.customerReference,
      connected_account_id: session.connectedAccountId,
      publishable_key: session.publishableKey,
    },
  ]);
  await insertRows(tx, 'agenda', [
    {
      vendor_id: session.vendorId,
      customer_id: session.customerId,
      contract_id: null,
      test_clock_id: session.clockId,
      workflow_id: workflowIdOf('customer', session.customerId),
      kind: 'session_expiry',
      subject: session.token,
      due_at: stamp(expires),
      held: false,
      detail: {},
    },
  ]);
  enqueue(tx, 'customer', session.customerId);
}

/**
 * Ends a session by what its provider says; one that has ended stays as it is, so that late and repeated answers do no harm. The first
 * method of a customer becomes the default, and so does one that replaces the previous.
 */
export async function concludeSession(tx: Tx, token: string, outcome: SetupOutcome): Promise<void> {
  if (outcome.status === 'pending') return;
  const session = await holdSession(tx, token);
  if (session === null || hasEnded(session)) return;
  const now = await nowOf(tx, session.clockId);
  const fails = (reason: string) => endSession(tx, token, { trigger: 'fail', reason, methodId: null }, now);
  if (outcome.status === 'failed') return fails(outcome.reason);
  const methodId = await insertMethod(tx, session, outcome.method, now);
  if (methodId === null) return fails('method_of_another_customer');
  await endSession(tx, token, { trigger: 'succeed', reason: null, methodId }, now);
  await adopt(tx, session, methodId);
}

/** The self-handled "set-up" has nothing to collect: from now on the vendor's own means pay. */
export async function concludeSelfHandled(tx: Tx, token: string): Promise<void> {
  const session = await holdSession(tx, token);
  if (session === null || hasEnded(session)) return;
  await endSession(tx, token, { trigger: 'succeed', reason: null, methodId: null }, await nowOf(tx, session.clockId));
  const previous = await defaultOf(tx, session.customerId);
  await selectDefault(tx, session.vendorId, session.customerId, 'manual');
  if (session.detachPrevious && isMethod(previous)) await detachMethod(tx, session.vendorId, session.customerId, previous);
}

/** Locks in the one order: customer first. */
async function holdSession(tx: Tx, token: string): Promise<Session | null> {
  const seen = await readSession(tx, token);
  if (seen === null) return null;
  await tx.query('select id from customer where id = $1 for update', [seen.customerId]);
  const [row] = await tx.query<Session>(`select ${COLUMNS} from payment_session where id = $1 for update`, [token]);
  return row ?? null;
}

async function adopt(tx: Tx, { vendorId, customerId, detachPrevious }: Session, methodId: string): Promise<void> {
  const previous = await defaultOf(tx, customerId);
  const [others] = await tx.query<{ count: string }>(
    `select count(*) as count from payment_method where customer_id = $1 and id <> $2 and status = 'active'`,
    [customerId, methodId],
  );
  if (!detachPrevious && others?.count !== '0') return;
  await selectDefault(tx, vendorId, customerId, methodId);
  if (!detachPrevious || !isMethod(previous) || previous === methodId) return;
  await detachMethod(tx, vendorId, customerId, previous);
}

async function defaultOf(tx: Queryable, customerId: string): Promise<string> {
  const [row] = await tx.query<{ selection: string }>('select default_payment as selection from customer where id = $1', [customerId]);
  return row?.selection ?? 'none';
}

const isMethod = (selection: string): boolean => selection !== 'none' && selection !== 'manual';

interface SessionEnd {
  trigger: PaymentSessionTrigger;
  reason: string | null;
  methodId: string | null;
}

async function endSession(tx: Tx, token: string, { trigger, reason, methodId }: SessionEnd, now: Instant): Promise<void> {
  const end = statusMove(paymentSessionMachine, trigger);
  await tx.query(`update payment_session set status = ${end.to}, reason = $2, method_id = $3, ended = $4 where id = $1`, [
    token,
    reason,
    methodId,
    stampOrNull(now),
  ]);
  const [row] = await tx.query<{ customer_id: string }>(
    `delete from agenda where kind = 'session_expiry' and subject = $1 returning customer_id`,
    [token],
  );
  if (row !== undefined) enqueue(tx, 'customer', row.customer_id);
}

/** Whether a session's time is over, on its customer's clock; null when it has ended or is unknown. */
export async function sessionDue(db: Queryable, token: string): Promise<{ session: Session; now: Instant } | null> {
  const session = await readSession(db, token);
  if (session === null || hasEnded(session)) return null;
  return { session, now: await nowOf(db, session.clockId) };
}

export async function expireSession(tx: Tx, token: string): Promise<void> {
  const session = await holdSession(tx, token);
  if (session === null || hasEnded(session)) return;
  const now = await nowOf(tx, session.clockId);
  if (session.expires <= now) await endSession(tx, token, { trigger: 'expire', reason: null, methodId: null }, now);
}
