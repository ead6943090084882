import type { Queryable } from '../connect.ts';
import { insertLease } from '../sql/idempotency/insert-lease.ts';
import { readKey } from '../sql/idempotency/read-key.ts';
import type { IdempotencyRef, Lease, StoredResponse } from '../sql/idempotency/request.ts';
import { takeOverLease } from '../sql/idempotency/take-over-lease.ts';

export type LeaseResult =
  | { outcome: 'leased'; lease: Lease }
  | { outcome: 'answered'; answer: StoredResponse }
  | { outcome: 'other_body' }
  | { outcome: 'running'; until: number };

const LEASE_MS = 60_000;

/**
 * Leases a key for 60 seconds, or says what became of it. Outside of a transaction, so that others see the lease at
 * once.
 */
export async function leaseKey(db: Queryable, ref: IdempotencyRef, now: number): Promise<LeaseResult> {
  const leased = { outcome: 'leased', lease: { ...ref, leasedUntil: now + LEASE_MS } } as const;
  if (await insertLease(db, ref, leased.lease.leasedUntil, now)) return leased;
  const row = await readKey(db, ref);
  if (row === null) return leaseKey(db, ref, now); // released between our two statements
  if (row.bodyHash !== ref.bodyHash) return { outcome: 'other_body' };
  if (row.status !== null) {
    return { outcome: 'answered', answer: { status: row.status, body: row.body, headers: row.headers ?? {}, secret: row.secret } };
  }
  if (row.leasedUntil > now) return { outcome: 'running', until: row.leasedUntil };
  return (await takeOverLease(db, ref, row.leasedUntil, leased.lease.leasedUntil)) ? leased : leaseKey(db, ref, now);
}
