import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from '../../db/connect.ts';
import { Groups } from '../../db/groups.ts';
import { Recent } from '../../db/recent.ts';
import { findKeys } from '../../db/sql/vendor-account/find-keys.ts';
import { hashKey, type KeyRecord } from '../../db/vendor-account/api-key.ts';
import { hasEnded } from '../../db/vendor-account/session.ts';
import { Problem } from './problem.ts';

export const COOKIE = 'wb_user';
const SESSION_MS = 12 * 3_600_000;
const SESSION_ID_BYTES = 16;
/** Keys a process remembers: as many as may be busy at one time. */
const MOST_REMEMBERED = 5_000;
const LIMITS = { atOnce: 2, most: 500 };

const KEY_SHAPE = /^api_key_[A-Za-z0-9_-]{16,120}$/;

/** What a cookie says of itself, signed by us. */
interface Session {
  readonly id: string;
  readonly keyId: string;
  readonly expires: number;
}

interface Credentials {
  readonly key: string | undefined;
  readonly cookie: string | undefined;
  readonly origin: string | undefined;
  readonly host: () => string;
  readonly writes: boolean;
  /**
   * A key that was live when this process last looked will do: the statement that the request is for checks it again.
   */
  readonly remembered: boolean;
}

/**
 * Finds whose request it is. Vendor, scope and hash of a key never change and are remembered; whether it is live may
 * change at any moment, and is asked each time: here, or by the statement that the request is for.
 */
export class Authenticator {
  readonly #db: Database;
  readonly #secret: string;
  readonly #baseUrl: URL;
  readonly #remembered = new Recent<string, KeyRecord>(MOST_REMEMBERED);
  readonly #byHash: Groups<string, KeyRecord | null>;
  readonly #byId: Groups<string, KeyRecord | null>;

  /** @param baseUrl where callers reach us: a browser's page that writes has its scheme */
  constructor(db: Database, secret: string, baseUrl: string) {
    this.#db = db;
    this.#secret = secret;
    this.#baseUrl = new URL(baseUrl);
    this.#byHash = new Groups((hashes) => findKeys(db, 'hash', hashes), LIMITS);
    this.#byId = new Groups((ids) => findKeys(db, 'id', ids), LIMITS);
  }

  /** The live key of a request. Throws `unauthorized`, or `origin_refused` for a write by cookie from elsewhere. */
  async authenticate({ key, cookie, origin, host, writes, remembered }: Credentials): Promise<KeyRecord> {
    if (key !== undefined) return this.byKey(key, remembered);
    const session = this.sessionOf(cookie);
    if (session === null) throw new Problem('unauthorized');
    const [record, ended] = await Promise.all([this.#byId.one(session.keyId), hasEnded(this.#db.em(), session.id)]);
    if (record === null || ended) throw new Problem('unauthorized');
    if (writes && !this.#isSameOrigin(origin, host())) throw new Problem('origin_refused');
    return record;
  }

  async byKey(key: string, remembered = false): Promise<KeyRecord> {
    if (!KEY_SHAPE.test(key)) throw new Problem('unauthorized');
    const hash = hashKey(key);
    const known = remembered ? this.#remembered.get(hash) : undefined;
    const record = known ?? (await this.#byHash.one(hash));
    if (record === null || !same(record.hash, hash)) throw new Problem('unauthorized');
    if (known === undefined) this.#remembered.set(hash, record);
    return record;
  }

  /** Whether a key is live now; one that isn't is forgotten. */
  async isLive({ id, hash }: KeyRecord): Promise<boolean> {
    if ((await this.#byId.one(id)) !== null) return true;
    this.#remembered.delete(hash);
    return false;
  }

  /** The Set-Cookie value of a session opened with a key. */
  sessionCookie(keyId: string, secure: boolean): { cookie: string; expires: number } {
    const expires = Date.now() + SESSION_MS;
    const payload = `${keyId}.${expires}.${randomBytes(SESSION_ID_BYTES).toString('base64url')}`;
    return { cookie: `${COOKIE}=${payload}.${this.#sign(payload)}; ${attributes(SESSION_MS / 1000, secure)}`, expires };
  }

  /** The session that a cookie of ours opens; null when it isn't ours, or has ended by its own date. */
  sessionOf(cookie: string | undefined): Session | null {
    const [keyId, expires, id, signature] = cookie?.split('.') ?? [];
    if (keyId === undefined || expires === undefined || id === undefined || signature === undefined) return null;
    if (!same(signature, this.#sign(`${keyId}.${expires}.${id}`)) || Number(expires) <= Date.now()) return null;
    return { id, keyId, expires: Number(expires) };
  }

  /**
   * Whether an origin is ours: with the host of the request or of the configured address, and with the scheme of the
   * configured address.
   */
  #isSameOrigin(origin: string | undefined, host: string): boolean {
    const { protocol, origin: ours } = this.#baseUrl;
    const asked = `${protocol}//${host}`;
    return origin !== undefined && (origin === ours || (URL.canParse(asked) && origin === new URL(asked).origin));
  }

  #sign(payload: string): string {
    return createHmac('sha256', this.#secret).update(`session:${payload}`).digest('base64url');
  }
}

export const endedCookie = (secure: boolean): string => `${COOKIE}=; ${attributes(0, secure)}`;

const attributes = (seconds: number, secure: boolean) => `Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure ? '; Secure' : ''}`;

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The value of our session cookie in a Cookie header. */
export function sessionFrom(header: string | undefined): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === COOKIE && value !== undefined && value !== '') return value;
  }
  return undefined;
}
