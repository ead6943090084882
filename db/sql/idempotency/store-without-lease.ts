import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import type { IdempotencyRef, StoredResponse } from './request.ts';

/**
 * Stores the response of a request that took no lease, in the transaction of its effect. SQL, because signing a
 * contract ends with it, and the insert itself says whether it was answered before.
 *
 * @returns false: it was answered before, so the effect must not be committed
 */
export async function storeWithoutLease(tx: Queryable, ref: IdempotencyRef, response: StoredResponse, now: number): Promise<boolean> {
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
      response.status,
      response.secret ? null : response.body,
      JSON.stringify(response.headers),
      response.secret,
    ],
  );
  return rows.length > 0;
}
