import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import type { Lease } from './request.ts';

/**
 * Gives a lease back, so that a repeat may run at once. What notes an effect that was made stays: the repeat leases the
 * key again and doesn't make the effect a second time. SQL, because the row must be looked at and removed in one
 * statement, which waits for a transaction that is about to note an effect.
 */
export async function endLease(db: Queryable, lease: Lease): Promise<void> {
  const ours = 'vendor_id = $1 and operation = $2 and key = $3 and response_status is null and leased_until = $4::timestamptz';
  const params = [lease.vendorId, lease.operation, lease.key, stamp(lease.leasedUntil)];
  const gone = await db.query(`delete from idempotency where ${ours} and not effect_made returning key`, params);
  // the effect may have been noted while this waited for its transaction
  if (gone.length === 0) await db.query(`update idempotency set leased_until = created where ${ours} and effect_made`, params);
}
