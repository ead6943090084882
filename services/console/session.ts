import { createHash, randomBytes } from 'node:crypto';
import type { AuditedCall } from '../../db/audited-call.ts';
import type { Database } from '../../db/connect.ts';
import { ApiKey, ConsoleSession, type KeyScope, Vendor } from '../../db/entities/vendor.ts';
import { findKeys } from '../../db/sql/vendor-account/find-keys.ts';
import { hashKey } from '../../db/vendor-account/api-key.ts';

/** Whose session it is, and what it may do. */
export interface ConsoleVisitor {
  vendorId: string;
  vendorName: string;
  keyId: string;
  /** as the vendor has called the key */
  keyName: string;
  /** of the key; a key of scope `usage` opens no session */
  scope: Exclude<KeyScope, 'usage'>;
  /** names the session where requests are counted */
  sessionId: string;
}

const SECRET_BYTES = 32;
const IDLE_MS = 60 * 60_000;
const LONGEST_MS = 12 * 60 * 60_000;
/** A session that was seen a moment ago isn't written again. */
const SEEN_MS = 60_000;

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
/** Secrets are random, so one round of SHA-256 keeps them as safe as a slow hash would. */
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const expiresAt = (created: number, now: number): number => Math.min(now + IDLE_MS, created + LONGEST_MS);

/** A session's beginning or end, for the audit log. The key is its object: a search for the key finds it. */
const entryOf = (vendorId: string, keyId: string, what: 'sign_in' | 'leave' | 'leave_everywhere'): AuditedCall => ({
  vendorId,
  caller: { type: 'console', id: keyId },
  action: `console.${what}`,
  object: keyId,
  asked: null,
});

/** Opens a session by a live key; `unknown` for no such key, `usage` for one that may only report usage. */
export async function openConsoleSession(
  db: Database,
  key: string,
  now = Date.now(),
): Promise<{ session: string } | { refused: 'unknown' | 'usage' }> {
  const [found] = await findKeys(db, 'hash', [hashKey(key)]);
  if (found == null) return { refused: 'unknown' };
  if (found.scope === 'usage') return { refused: 'usage' };
  const { vendorId, id: keyId } = found;
  const session = newSecret();
  const times = { created: now, lastSeen: now, expires: expiresAt(now, now) };
  await db.transaction(async ({ em, audited }) => {
    em.create(ConsoleSession, { hash: hashOf(session), vendorId, keyId, ...times });
    audited.push(entryOf(vendorId, keyId, 'sign_in'));
    await em.flush();
  });
  return { session };
}

/**
 * Whose session it is, for another hour from now; null when it is unknown, was idle for an hour, is older than 12
 * hours, or its key isn't live any more.
 */
export async function touchConsoleSession(db: Database, session: string, now = Date.now()): Promise<ConsoleVisitor | null> {
  const em = db.em();
  const hash = hashOf(session);
  const found = await em.findOne(ConsoleSession, { hash, expires: { $gt: now } });
  const [key] = found === null ? [] : await findKeys(db, 'id', [found.keyId]);
  if (found === null || key == null || key.scope === 'usage') return null;
  const vendor = await em.findOneOrFail(Vendor, { id: key.vendorId });
  const { name: keyName } = await em.findOneOrFail(ApiKey, { id: key.id }, { fields: ['name'] });
  const { created, lastSeen } = found;
  if (now - lastSeen > SEEN_MS) await em.nativeUpdate(ConsoleSession, { hash }, { lastSeen: now, expires: expiresAt(created, now) });
  return { vendorId: key.vendorId, vendorName: vendor.name, keyId: key.id, keyName, scope: key.scope, sessionId: hash };
}

/** Ends a session; one that has ended already leaves nothing in the audit log. */
export async function endConsoleSession(db: Database, session: string): Promise<void> {
  await db.transaction(async ({ em, audited }) => {
    const found = await em.findOne(ConsoleSession, { hash: hashOf(session) });
    if (found === null || (await em.nativeDelete(ConsoleSession, { hash: found.hash })) === 0) return;
    audited.push(entryOf(found.vendorId, found.keyId, 'leave'));
  });
}

/** Ends all sessions that a key has opened, on every device. */
export async function endSessionsOfKey(db: Database, { vendorId, keyId }: Pick<ConsoleVisitor, 'vendorId' | 'keyId'>): Promise<void> {
  await db.transaction(async ({ em, audited }) => {
    await em.nativeDelete(ConsoleSession, { keyId });
    audited.push(entryOf(vendorId, keyId, 'leave_everywhere'));
  });
}
