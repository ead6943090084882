import { createHash, randomBytes } from 'node:crypto';
import type { Queryable } from '../../db/connect.ts';
import { stamp } from '../../db/rows.ts';

/** Who a token or a session stands for. */
export interface PortalVisitor {
  vendorId: string;
  customerId: string;
}

const SECRET_BYTES = 32;
const TOKEN_MS = 5 * 60_000;
const SESSION_MS = 60 * 60_000;

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
/** Secrets are random, so one round of SHA-256 keeps them as safe as a slow hash would. */
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** A token for one opening of the portal within five minutes. Only its hash is kept. Time is the wall's, also for customers on a test clock. */
export async function createPortalToken(tx: Queryable, { vendorId, customerId }: PortalVisitor, now = Date.now()): Promise<string> {
  const token = newSecret();
  await tx.query('delete from portal_token where customer_id = $1 and expires < $2::timestamptz', [customerId, stamp(now)]);
  await tx.query(
    'insert into portal_token (hash, vendor_id, customer_id, created, expires) values ($1, $2, $3, $4::timestamptz, $5::timestamptz)',
    [hashOf(token), vendorId, customerId, stamp(now), stamp(now + TOKEN_MS)],
  );
  return token;
}

/** Trades a token, once, for the secret of a session; null when it is unknown, used or too old. */
export async function openPortalSession(tx: Queryable, token: string, now = Date.now()): Promise<string | null> {
  const [visitor] = await tx.query<PortalVisitor>(
    `update portal_token set used_at = $2::timestamptz where hash = $1 and used_at is null and expires > $2::timestamptz
     returning vendor_id as "vendorId", customer_id as "customerId"`,
    [hashOf(token), stamp(now)],
  );
  if (visitor === undefined) return null;
  const session = newSecret();
  await tx.query('delete from portal_session where customer_id = $1 and expires < $2::timestamptz', [visitor.customerId, stamp(now)]);
  await tx.query(
    'insert into portal_session (hash, vendor_id, customer_id, last_seen, expires) values ($1, $2, $3, $4::timestamptz, $5::timestamptz)',
    [hashOf(session), visitor.vendorId, visitor.customerId, stamp(now), stamp(now + SESSION_MS)],
  );
  return session;
}

/** Whose session it is, for another hour from now; null when it is unknown or was idle for an hour. */
export async function touchPortalSession(db: Queryable, session: string, now = Date.now()): Promise<PortalVisitor | null> {
  const [visitor] = await db.query<PortalVisitor>(
    `update portal_session set last_seen = $2::timestamptz, expires = $3::timestamptz where hash = $1 and expires > $2::timestamptz
     returning vendor_id as "vendorId", customer_id as "customerId"`,
    [hashOf(session), stamp(now), stamp(now + SESSION_MS)],
  );
  return visitor ?? null;
}

export async function endPortalSession(db: Queryable, session: string): Promise<void> {
  await db.query('delete from portal_session where hash = $1', [hashOf(session)]);
}
