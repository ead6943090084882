import type { Queryable } from '../../connect.ts';
import type { IdempotencyRef } from './request.ts';

/**
 * What an earlier request with this key has made whose response was lost; null: nothing. SQL, as all statements about
 * keys.
 */
export async function madeUnderKey(tx: Queryable, { vendorId, operation, key }: IdempotencyRef): Promise<string | null> {
  const [row] = await tx.query<{ effect: string | null }>(
    'select effect from idempotency where vendor_id = $1 and operation = $2 and key = $3 and effect_made',
    [vendorId, operation, key],
  );
  return row?.effect ?? null;
}
