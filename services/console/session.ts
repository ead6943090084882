import type { EntityManager } from '@mikro-orm/postgresql';
import type { AuditedCall } from '../../db/audited-call.ts';
import type { Database } from '../../db/connect.ts';
import { ApiKey, ConsoleSession, type ConsoleSessionRecord, Person, Vendor } from '../../db/entities/vendor.ts';
import { findKeys } from '../../db/sql/vendor-account/find-keys.ts';
import { hashKey } from '../../db/vendor-account/api-key.ts';
import { hashOfSecret, newSecret } from '../portal/secret.ts';

/** What a session may do; a key of scope `usage` opens none. */
export type ConsoleScope = 'read' | 'full';

/** Who has signed in: a key, or a person whom the vendor's sign-in service knows. */
export type SignedIn = { type: 'console'; id: string; name: string } | { type: 'person'; id: string; name: string; email: string | null };

/** Whose session it is, and what it may do. */
export interface ConsoleVisitor {
  vendorId: string;
  vendorName: string;
  who: SignedIn;
  scope: ConsoleScope;
  /** names the session where requests are counted */
  sessionId: string;
}

const IDLE_MS = 60 * 60_000;
const LONGEST_MS = 12 * 60 * 60_000;
/** A session that was seen a moment ago isn't written again. */
const SEEN_MS = 60_000;

const expiresAt = (created: number, now: number): number => Math.min(now + IDLE_MS, created + LONGEST_MS);

type Opener = Pick<ConsoleSessionRecord, 'vendorId' | 'keyId' | 'personId'>;

const callerOf = ({ keyId, personId }: Opener): AuditedCall['caller'] =>
  personId === null ? { type: 'console', id: keyId ?? '' } : { type: 'person', id: personId };

/** A session's beginning or end, for the audit log. Key or person is its object: a search for either finds it. */
function entryOf(opener: Opener, what: 'sign_in' | 'leave' | 'leave_everywhere'): AuditedCall {
  const caller = callerOf(opener);
  return { vendorId: opener.vendorId, caller, action: `console.${what}`, object: caller.id, asked: null };
}

/** Stores a new session within the transaction of a sign-in; gives back its secret. */
export function newConsoleSession(
  { em, audited }: { em: EntityManager; audited: AuditedCall[] },
  opener: Opener,
  scope: ConsoleScope | null,
  now: number,
): string {
  const session = newSecret();
  em.create(ConsoleSession, { hash: hashOfSecret(session), ...opener, scope, created: now, lastSeen: now, expires: expiresAt(now, now) });
  audited.push(entryOf(opener, 'sign_in'));
  return session;
}

/** Opens a session by a live key; `unknown` for no such key, `usage` for one that may only report usage. */
export async function openConsoleSession(db: Database, key: string): Promise<{ session: string } | { refused: 'unknown' | 'usage' }> {
  const [found] = await findKeys(db, 'hash', [hashKey(key)]);
  if (found == null) return { refused: 'unknown' };
  if (found.scope === 'usage') return { refused: 'usage' };
  const opener = { vendorId: found.vendorId, keyId: found.id, personId: null };
  return db.transaction(async (tx) => {
    const session = newConsoleSession(tx, opener, null, Date.now());
    await tx.em.flush();
    return { session };
  });
}

/**
 * Whose session it is, for another hour from now; null when it is unknown, was idle for an hour, is older than 12
 * hours, or its key isn't live any more.
 */
export async function touchConsoleSession(db: Database, session: string): Promise<ConsoleVisitor | null> {
  const now = Date.now();
  const em = db.em();
  const hash = hashOfSecret(session);
  const found = await em.findOne(ConsoleSession, { hash, expires: { $gt: now } });
  const opened = found === null ? null : await openerOf(db, em, found);
  if (found === null || opened === null) return null;
  const vendor = await em.findOneOrFail(Vendor, { id: found.vendorId });
  const { created, lastSeen } = found;
  if (now - lastSeen > SEEN_MS) await em.nativeUpdate(ConsoleSession, { hash }, { lastSeen: now, expires: expiresAt(created, now) });
  return { vendorId: found.vendorId, vendorName: vendor.name, ...opened, sessionId: hash };
}

/** Who opened a session and what it may do now: a key's scope is asked each time, a person's groups at each sign-in. */
async function openerOf(
  db: Database,
  em: EntityManager,
  { keyId, personId, scope }: ConsoleSessionRecord,
): Promise<Pick<ConsoleVisitor, 'who' | 'scope'> | null> {
  if (personId !== null && scope !== null) {
    const { id, name, email } = await em.findOneOrFail(Person, { id: personId });
    return { who: { type: 'person', id, name, email }, scope };
  }
  const [key] = keyId === null ? [] : await findKeys(db, 'id', [keyId]);
  if (key == null || key.scope === 'usage') return null;
  const { name } = await em.findOneOrFail(ApiKey, { id: key.id }, { fields: ['name'] });
  return { who: { type: 'console', id: key.id, name }, scope: key.scope };
}

/** Ends a session; one that has ended already leaves nothing in the audit log. */
export async function endConsoleSession(db: Database, session: string): Promise<void> {
  await db.transaction(async ({ em, audited }) => {
    const found = await em.findOne(ConsoleSession, { hash: hashOfSecret(session) });
    if (found === null || (await em.nativeDelete(ConsoleSession, { hash: found.hash })) === 0) return;
    audited.push(entryOf(found, 'leave'));
  });
}

/** Ends all sessions of a key, or of a person with all vendors, on every device. */
export async function endSessionsOf(db: Database, { vendorId, who }: Pick<ConsoleVisitor, 'vendorId' | 'who'>): Promise<void> {
  await db.transaction(async ({ em, audited }) => {
    if (who.type === 'console') await em.nativeDelete(ConsoleSession, { keyId: who.id });
    else await em.nativeDelete(ConsoleSession, { personId: { $in: await idsOfPerson(em, who.id) } });
    const opener = who.type === 'console' ? { keyId: who.id, personId: null } : { keyId: null, personId: who.id };
    audited.push(entryOf({ vendorId, ...opener }, 'leave_everywhere'));
  });
}

/** A person of several vendors has an id with each. */
async function idsOfPerson(em: EntityManager, id: string): Promise<string[]> {
  const { issuer, subject } = await em.findOneOrFail(Person, { id });
  return (await em.find(Person, { issuer, subject }, { fields: ['id'] })).map((one) => one.id);
}
