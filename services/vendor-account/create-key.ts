import { randomBytes } from 'node:crypto';
import type { Tx } from '../../db/connect.ts';
import { ApiKey, type KeyScope } from '../../db/entities/vendor.ts';
import { newId } from '../../db/id.ts';
import { hashKey } from '../../db/vendor-account/api-key.ts';

const SECRET_BYTES = 32;

/** A fresh key in the shape callers know; only its hash is ever stored. */
const newKey = (): string => `api_key_${randomBytes(SECRET_BYTES).toString('base64url')}`;

/** Stores a new key and gives its text, which can't be read again later. */
export async function createApiKey(
  { em }: Tx,
  { vendorId, name, scope, at }: { vendorId: string; name: string; scope: KeyScope; at: number },
): Promise<{ id: string; key: string }> {
  const [id, key] = [newId('Key'), newKey()];
  em.create(ApiKey, { id, vendor: vendorId, name, hash: hashKey(key), scope, created: at });
  await em.flush();
  return { id, key };
}
