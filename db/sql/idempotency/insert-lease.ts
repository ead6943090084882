import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import type { IdempotencyRef } from './request.ts';

/**
 * Leases a key that nobody has used. SQL, because every write with a key begins with it, and the insert itself decides
 * who is first.
 *
 * @returns false when the key is taken
 */
export async function insertLease(db: Queryable, ref: IdempotencyRef, until: number, now: number): Promise<boolean> {
  const rows = await db.query(
    `insert into idempotency (vendor_id, operation, key, subject, body_hash, leased_until, secret, created)
     values ($1, $2, $3, $7, $4, $5::timestamptz, false, $6::timestamptz)
     on conflict do nothing returning key`,
    [ref.vendorId, ref.operation, ref.key, ref.bodyHash, stamp(until), stamp(now), ref.subject ?? null],
  );
  return rows.length > 0;
}
