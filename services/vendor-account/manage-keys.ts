import type { Tx } from '../../db/connect.ts';
import { ApiKey, type ApiKeyRecord } from '../../db/entities/vendor.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';

/** The key, locked until the transaction ends, so that the second of two rotations sees the first. */
export const lockKey = ({ em }: Tx, vendorId: string, id: string): Promise<ApiKeyRecord | null> =>
  em.findOne(ApiKey, { id, vendor: vendorId }, FOR_UPDATE);

/** Lets a key end at an instant, unless it ends earlier anyway. */
export async function expireKey({ em }: Tx, key: ApiKeyRecord, at: number): Promise<void> {
  key.expiresAt = Math.min(key.expiresAt ?? at, at);
  await em.flush();
}

/** Revokes a key. @returns when it was revoked, which may be earlier */
export async function revokeKey({ em }: Tx, key: ApiKeyRecord, at: number): Promise<number> {
  key.revokedAt ??= at;
  await em.flush();
  return key.revokedAt;
}
