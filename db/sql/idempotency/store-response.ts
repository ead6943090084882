import type { Queryable } from '../../connect.ts';
import { stampOrNull } from '../../rows.ts';
import type { IdempotencyRef, Lease, StoredResponse } from './request.ts';

/**
 * Stores the response in the transaction of its effect. SQL, because every write with a key ends with it, and the
 * update itself says whether the lease is still ours.
 *
 * @returns false: another request has answered meanwhile (or, with a lease, has taken it over), so the effect must not
 *   be committed
 */
export async function storeResponse(tx: Queryable, ref: IdempotencyRef | Lease, response: StoredResponse): Promise<boolean> {
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
      response.status,
      response.secret ? null : response.body,
      JSON.stringify(response.headers),
      response.secret,
      ref.bodyHash,
      stampOrNull(lease),
    ],
  );
  return rows.length > 0;
}
