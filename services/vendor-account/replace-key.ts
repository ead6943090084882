import type { Tx } from '../../db/connect.ts';
import type { ApiKeyRecord } from '../../db/entities/vendor.ts';
import { createApiKey } from './create-key.ts';
import { expireKey } from './manage-keys.ts';

/**
 * Makes a new key of the same name and scope; the old one works on for a while.
 *
 * @param key locked (`lockKey`) and not revoked
 * @param overlapMs for how long the old key works on; 0: it ends at once
 */
export async function replaceKey(
  tx: Tx,
  { vendorId, key, overlapMs, at }: { vendorId: string; key: ApiKeyRecord; overlapMs: number; at: number },
): Promise<{ id: string; key: string }> {
  await expireKey(tx, key, at + overlapMs);
  return createApiKey(tx, { vendorId, name: key.name, scope: key.scope, at });
}
