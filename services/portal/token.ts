import type { EntityManager } from '@mikro-orm/postgresql';
import type { Tx } from '../../db/connect.ts';
import { type PortalFlow, PortalSession, PortalToken } from '../../db/entities/portal.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import { hashOfSecret, newSecret } from './secret.ts';

/** Who a token or a session stands for. */
export interface PortalVisitor {
  vendorId: string;
  customerId: string;
}

/** Where a link leads, and where the customer may go back to. Null: the overview, and nowhere. */
export interface PortalEntry {
  flow: PortalFlow | null;
  /** what is paid */
  invoiceId: string | null;
  /** what is changed or canceled */
  contractId: string | null;
  returnUrl: string | null;
}

/** Where a link leads that is made for nothing else. */
export const OVERVIEW_ENTRY: PortalEntry = { flow: null, invoiceId: null, contractId: null, returnUrl: null };

const TOKEN_MS = 5 * 60_000;
const SESSION_MS = 60 * 60_000;

/**
 * A token for one opening of the portal, within five minutes where nothing else is asked for. Only its hash is stored.
 * Its time limit is by the wall clock, also for customers on a test clock.
 */
export async function createPortalToken(
  { em }: Tx,
  { vendorId, customerId }: PortalVisitor,
  entry: PortalEntry = OVERVIEW_ENTRY,
  { lastsMs = TOKEN_MS }: { lastsMs?: number } = {},
): Promise<string> {
  const now = Date.now();
  const token = newSecret();
  em.create(PortalToken, { ...entry, hash: hashOfSecret(token), vendorId, customerId, created: now, expires: now + lastsMs });
  await em.flush();
  return token;
}

/** Whose token it is; null when it can't be exchanged any more. */
export const visitorOfToken = (em: EntityManager, token: string): Promise<PortalVisitor | null> =>
  em.findOne(PortalToken, freshBy(token, Date.now()));

const freshBy = (token: string, now: number) => ({ hash: hashOfSecret(token), usedAt: null, expires: { $gt: now } });

/** Exchanges a token, once, for the secret of a session; null when it is unknown, used or too old. */
export async function openPortalSession({ em }: Tx, token: string): Promise<{ session: string; entry: PortalEntry } | null> {
  const now = Date.now();
  const found = await em.findOne(PortalToken, freshBy(token, now), FOR_UPDATE);
  if (found === null) return null;
  found.usedAt = now;
  const { vendorId, customerId, flow, invoiceId, contractId, returnUrl } = found;
  const session = newSecret();
  em.create(PortalSession, {
    hash: hashOfSecret(session),
    vendorId,
    customerId,
    flow,
    returnUrl,
    lastSeen: now,
    expires: now + SESSION_MS,
  });
  await em.flush();
  return { session, entry: { flow, invoiceId, contractId, returnUrl } };
}

type OpenedSession = PortalVisitor & Pick<PortalEntry, 'flow' | 'returnUrl'>;

/** Whose session it is, for another hour from now; null when it is unknown or was idle for an hour. */
export async function touchPortalSession(em: EntityManager, session: string): Promise<OpenedSession | null> {
  const now = Date.now();
  const hash = hashOfSecret(session);
  const seen = { lastSeen: now, expires: now + SESSION_MS };
  const touched = await em.nativeUpdate(PortalSession, { hash, expires: { $gt: now } }, seen);
  const found = touched === 0 ? null : await em.findOne(PortalSession, { hash });
  if (found === null) return null;
  const { vendorId, customerId, flow, returnUrl } = found;
  return { vendorId, customerId, flow, returnUrl };
}

/** @returns false: there was none */
export async function endPortalSession(em: EntityManager, session: string): Promise<boolean> {
  return (await em.nativeDelete(PortalSession, { hash: hashOfSecret(session) })) > 0;
}
