import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import type { IdempotencyRef } from './request.ts';

/**
 * Leases a key whose lease has lapsed without a response. SQL, because the update itself decides which of two requests
 * takes it over.
 *
 * @param lapsed the end of the lease that was seen
 * @returns false when another request was quicker
 */
export async function takeOverLease(db: Queryable, ref: IdempotencyRef, lapsed: number, until: number): Promise<boolean> {
  const rows = await db.query(
    `update idempotency set leased_until = $4::timestamptz
     where vendor_id = $1 and operation = $2 and key = $3 and response_status is null and leased_until = $5::timestamptz
     returning key`,
    [ref.vendorId, ref.operation, ref.key, stamp(until), stamp(lapsed)],
  );
  return rows.length > 0;
}
