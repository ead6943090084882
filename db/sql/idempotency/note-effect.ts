import type { Queryable } from '../../connect.ts';
import type { IdempotencyRef } from './request.ts';

/**
 * Notes the effect of a request whose response comes later: in the effect's transaction, or before it where the noted
 * id lets it be made once only. SQL, because the update itself says whether it was noted before.
 *
 * @param effect id of what is made, where a repeat has to find it
 * @returns false: it was noted before, by a request that died before its response
 */
export async function noteEffect(
  tx: Queryable,
  { vendorId, operation, key }: IdempotencyRef,
  effect: string | null = null,
): Promise<boolean> {
  const rows = await tx.query(
    `update idempotency set effect_made = true, effect = $4
     where vendor_id = $1 and operation = $2 and key = $3 and not effect_made returning key`,
    [vendorId, operation, key, effect],
  );
  return rows.length > 0;
}
