import type { Tx } from '../../db/connect.ts';
import { ApiKey, type ApiKeyRecord } from '../../db/entities/vendor.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';

/** Locked until the transaction ends, so that of two rotations the second sees the first. */
export const lockKey = ({ em }: Tx, vendorId: string, id: string): Promise<ApiKeyRecord | null> =>
  em.findOne(ApiKey, { id, vendor: vendorId }, FOR_UPDATE);

/** Works on until then, unless it ends earlier anyway. */
export async function expireKey({ em }: Tx, key: ApiKeyRecord, at: number): Promise<void> {
  key.expiresAt = Math.min(key.expiresAt ?? at, at);
  await em.flush();
}

/** Gives back when it was revoked, perhaps earlier. */
export async function revokeKey({ em }: Tx, key: ApiKeyRecord, at: number): Promise<number> {
  key.revokedAt ??= at;
  await em.flush();
  return key.revokedAt;
}
