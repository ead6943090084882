import type { Queryable } from '../connect.ts';
import { stamp, stampOrNull } from '../rows.ts';

/** Names one request with an Idempotency-Key; whoever makes its effect stores the answer under it. */
export interface IdempotencyRef {
  vendorId: string;
  operation: string;
  key: string;
  bodyHash: string;
}

export interface StoredResponse {
  status: number;
  /** null: the answer carried a secret and isn't kept */
  body: string | null;
  /** a file in place of a body; reads only, so it is never stored */
  bytes?: Buffer;
  headers: Record<string, string>;
  secret: boolean;
}

export interface Lease extends IdempotencyRef {
  /** the end of our lease; another request may take over afterwards */
  leasedUntil: number;
}

export type LeaseResult =
  | { outcome: 'leased'; lease: Lease }
  | { outcome: 'answered'; answer: StoredResponse }
  | { outcome: 'other_body' }
  | { outcome: 'running'; until: number };

interface IdempotencyRow {
  bodyHash: string;
  leasedUntil: number;
  status: number | null;
  body: string | null;
  headers: Record<string, string> | null;
  secret: boolean;
}

const LEASE_MS = 60_000;

/** Claims a key for 60 seconds, or tells what became of it. Its own short transaction, so that others see the claim at once. */
export async function leaseKey(db: Queryable, ref: IdempotencyRef, now: number): Promise<LeaseResult> {
  const until = now + LEASE_MS;
  const [mine] = await db.query(
    `insert into idempotency (vendor_id, operation, key, body_hash, leased_until, secret, created)
     values ($1, $2, $3, $4, $5::timestamptz, false, $6::timestamptz)
     on conflict do nothing returning key`,
    [ref.vendorId, ref.operation, ref.key, ref.bodyHash, stamp(until), stamp(now)],
  );
  if (mine !== undefined) return { outcome: 'leased', lease: { ...ref, leasedUntil: until } };
  const row = await readKey(db, ref);
  if (row === null) return leaseKey(db, ref, now); // released between our two statements
  if (row.bodyHash !== ref.bodyHash) return { outcome: 'other_body' };
  if (row.status !== null) {
    return { outcome: 'answered', answer: { status: row.status, body: row.body, headers: row.headers ?? {}, secret: row.secret } };
  }
  if (row.leasedUntil > now) return { outcome: 'running', until: row.leasedUntil };
  return takeOver(db, ref, row.leasedUntil, until, now);
}

async function takeOver(db: Queryable, ref: IdempotencyRef, lapsed: number, until: number, now: number): Promise<LeaseResult> {
  const [mine] = await db.query(
    `update idempotency set leased_until = $4::timestamptz
     where vendor_id = $1 and operation = $2 and key = $3 and response_status is null and leased_until = $5::timestamptz
     returning key`,
    [ref.vendorId, ref.operation, ref.key, stamp(until), stamp(lapsed)],
  );
  return mine === undefined ? leaseKey(db, ref, now) : { outcome: 'leased', lease: { ...ref, leasedUntil: until } };
}

async function readKey(db: Queryable, ref: IdempotencyRef): Promise<IdempotencyRow | null> {
  const [row] = await db.query<IdempotencyRow>(
    `select body_hash as "bodyHash", leased_until as "leasedUntil", response_status as status, response_body as body,
            response_headers as headers, secret
     from idempotency where vendor_id = $1 and operation = $2 and key = $3`,
    [ref.vendorId, ref.operation, ref.key],
  );
  return row ?? null;
}

/**
 * Stores the answer in the transaction of its effect. False: another request has answered meanwhile (or, with a claim, has
 * taken it over), so the effect must not be committed.
 */
export async function storeResponse(tx: Queryable, ref: IdempotencyRef | Lease, answer: StoredResponse): Promise<boolean> {
  const lease = 'leasedUntil' in ref ? ref.leasedUntil : null;
  const rows = await tx.query(
    `update idempotency set response_status = $4, response_body = $5, response_headers = $6::jsonb, secret = $7
     where vendor_id = $1 and operation = $2 and key = $3 and body_hash = $8 and response_status is null
       and ($9::timestamptz is null or leased_until = $9::timestamptz)
     returning key`,
    [
      ref.vendorId,
      ref.operation,
      ref.key,
      answer.status,
      answer.secret ? null : answer.body,
      JSON.stringify(answer.headers),
      answer.secret,
      ref.bodyHash,
      stampOrNull(lease),
    ],
  );
  return rows.length > 0;
}

/**
 * Notes the effect of a request whose answer comes later, in the effect's transaction. False: it was made before, by a request that died
 * before its answer, and must not be made again.
 */
export async function noteEffect(tx: Queryable, { vendorId, operation, key }: IdempotencyRef): Promise<boolean> {
  const rows = await tx.query(
    'update idempotency set effect_made = true where vendor_id = $1 and operation = $2 and key = $3 and not effect_made returning key',
    [vendorId, operation, key],
  );
  return rows.length > 0;
}

/**
 * Stores the answer of a request that nobody claimed, in the transaction of its effect. False: it was answered before, so the effect must not
 * be committed.
 */
export async function storeWithoutLease(tx: Queryable, ref: IdempotencyRef, answer: StoredResponse, now: number): Promise<boolean> {
  const rows = await tx.query(
    `insert into idempotency (vendor_id, operation, key, body_hash, leased_until, response_status, response_body, response_headers, secret, created)
     values ($1, $2, $3, $4, $5::timestamptz, $6, $7, $8::jsonb, $9, $5::timestamptz)
     on conflict do nothing returning key`,
    [
      ref.vendorId,
      ref.operation,
      ref.key,
      ref.bodyHash,
      stamp(now),
      answer.status,
      answer.secret ? null : answer.body,
      JSON.stringify(answer.headers),
      answer.secret,
    ],
  );
  return rows.length > 0;
}

/** The body kept under a reference; undefined while there is none, or when it was a secret. */
export async function keptBody(db: Queryable, ref: IdempotencyRef): Promise<string | undefined> {
  const row = await readKey(db, ref);
  return row === null || row.status === null ? undefined : (row.body ?? undefined);
}

/** Gives a claim back, so that a repeat may run at once. What notes an effect that was made stays: the repeat takes it over and makes it no more. */
export async function releaseLease(db: Queryable, lease: Lease): Promise<void> {
  const ours = 'vendor_id = $1 and operation = $2 and key = $3 and response_status is null and leased_until = $4::timestamptz';
  await db.query(
    `with made as (update idempotency set leased_until = created where ${ours} and effect_made)
     delete from idempotency where ${ours} and not effect_made`,
    [lease.vendorId, lease.operation, lease.key, stamp(lease.leasedUntil)],
  );
}

const KEPT_MS = 30 * 86_400_000;

/** Forgets up to `most` answers older than 30 days, the oldest first; returns how many. */
export async function forgetOldResponses(db: Queryable, now: number, most: number): Promise<number> {
  const rows = await db.query(
    `delete from idempotency where (vendor_id, operation, key) in (
       select vendor_id, operation, key from idempotency where created < $1::timestamptz order by created limit $2 for update skip locked
     ) returning key`,
    [stamp(now - KEPT_MS), most],
  );
  return rows.length;
}
