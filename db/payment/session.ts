import { DAY, type Instant } from '../../billing/calendar/instant.ts';
import type { ProviderName, SetupOutcome } from '../../billing/payment/types.ts';
import { nowOf } from '../clock/now.ts';
import type { Queryable, Tx } from '../connect.ts';
import { insertRows, stamp, stampOrNull } from '../rows.ts';
import { detachMethod, insertMethod, selectDefault } from './method.ts';

type SessionStatus = 'pending' | 'succeeded' | 'failed' | 'expired' | 'canceled';

/** A payment session: 24 hours to set a method up. */
export interface Session {
  token: string;
  vendorId: string;
  customerId: string;
  clockId: string | null;
  created: Instant;
  expires: Instant;
  ended: Instant | null;
  status: SessionStatus;
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

const SESSION_LIFE = DAY;

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
export async function insertSession(tx: Queryable, session: NewSession): Promise<void> {
  const expires = session.created + SESSION_LIFE;
  await insertRows(tx, 'payment_session', [
    {
      id: session.token,
      vendor_id: session.vendorId,
      customer_id: session.customerId,
      test_clock_id: session.clockId,
      created: stamp(session.created),
      expires: stamp(expires),
      status: 'pending',
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
      kind: 'session_expiry',
      subject: session.token,
      due_at: stamp(expires),
      detail: {},
    },
  ]);
}

/**
 * Ends a session by what its provider says; one that has ended stays as it is, so that late and repeated answers do no harm. The first
 * method of a customer becomes the default, and so does one that replaces the previous.
 *
 * @returns ids of the wishes to deliver after the commit
 */
export async function concludeSession(tx: Tx, token: string, outcome: SetupOutcome): Promise<string[]> {
  if (outcome.status === 'pending') return [];
  const session = await holdSession(tx, token);
  if (session === null || session.status !== 'pending') return [];
  const now = await nowOf(tx, session.clockId);
  const fails = async (reason: string): Promise<string[]> => {
    await endSession(tx, token, { status: 'failed', reason, methodId: null }, now);
    return [];
  };
  if (outcome.status === 'failed') return fails(outcome.reason);
  const methodId = await insertMethod(tx, session, outcome.method, now);
  if (methodId === null) return fails('method_of_another_customer');
  await endSession(tx, token, { status: 'succeeded', reason: null, methodId }, now);
  return adopt(tx, session, methodId);
}

/** The self-handled "set-up" has nothing to collect: from now on the vendor's own means pay. */
export async function concludeSelfHandled(tx: Tx, token: string): Promise<string[]> {
  const session = await holdSession(tx, token);
  if (session === null || session.status !== 'pending') return [];
  await endSession(tx, token, { status: 'succeeded', reason: null, methodId: null }, await nowOf(tx, session.clockId));
  const previous = await defaultOf(tx, session.customerId);
  const wishes = await selectDefault(tx, session.vendorId, session.customerId, 'manual');
  return session.detachPrevious && isMethod(previous)
    ? [...wishes, ...(await detachMethod(tx, session.vendorId, session.customerId, previous))]
    : wishes;
}

/** Locks in the one order: customer first. */
async function holdSession(tx: Tx, token: string): Promise<Session | null> {
  const seen = await readSession(tx, token);
  if (seen === null) return null;
  await tx.query('select id from customer where id = $1 for update', [seen.customerId]);
  const [row] = await tx.query<Session>(`select ${COLUMNS} from payment_session where id = $1 for update`, [token]);
  return row ?? null;
}

async function adopt(tx: Tx, { vendorId, customerId, detachPrevious }: Session, methodId: string): Promise<string[]> {
  const previous = await defaultOf(tx, customerId);
  const [others] = await tx.query<{ count: string }>(
    `select count(*) as count from payment_method where customer_id = $1 and id <> $2 and status = 'active'`,
    [customerId, methodId],
  );
  if (!detachPrevious && others?.count !== '0') return [];
  const wishes = await selectDefault(tx, vendorId, customerId, methodId);
  if (!detachPrevious || !isMethod(previous) || previous === methodId) return wishes;
  return [...wishes, ...(await detachMethod(tx, vendorId, customerId, previous))];
}

async function defaultOf(tx: Queryable, customerId: string): Promise<string> {
  const [row] = await tx.query<{ selection: string }>('select default_payment as selection from customer where id = $1', [customerId]);
  return row?.selection ?? 'none';
}

const isMethod = (selection: string): boolean => selection !== 'none' && selection !== 'manual';

interface SessionEnd {
  status: Exclude<SessionStatus, 'pending'>;
  reason: string | null;
  methodId: string | null;
}

async function endSession(tx: Queryable, token: string, { status, reason, methodId }: SessionEnd, now: Instant): Promise<void> {
  await tx.query('update payment_session set status = $2, reason = $3, method_id = $4, ended = $5 where id = $1', [
    token,
    status,
    reason,
    methodId,
    stampOrNull(now),
  ]);
  await tx.query(`delete from agenda where kind = 'session_expiry' and subject = $1`, [token]);
}

/** Whether a session's time is over, on its customer's clock; null when it has ended or is unknown. */
export async function sessionDue(db: Queryable, token: string): Promise<{ session: Session; now: Instant } | null> {
  const session = await readSession(db, token);
  if (session === null || session.status !== 'pending') return null;
  return { session, now: await nowOf(db, session.clockId) };
}

export async function expireSession(tx: Tx, token: string): Promise<void> {
  const session = await holdSession(tx, token);
  if (session === null || session.status !== 'pending') return;
  const now = await nowOf(tx, session.clockId);
  if (session.expires <= now) await endSession(tx, token, { status: 'expired', reason: null, methodId: null }, now);
}
