import { randomBytes } from 'node:crypto';
import type { Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { stamp } from '../../db/rows.ts';
import { hashKey, type KeyScope } from '../../db/vendor-account/api-key.ts';

const SECRET_BYTES = 32;

/** A fresh key in the shape callers know; only its hash is ever stored. */
const newKey = (): string => `api_key_${randomBytes(SECRET_BYTES).toString('base64url')}`;

/** Stores a new key and gives its text, which can't be read again later. */
export async function createApiKey(
  tx: Tx,
  { vendorId, name, scope, at }: { vendorId: string; name: string; scope: KeyScope; at: number },
): Promise<{ id: string; key: string }> {
  const [id, key] = [newId('Key'), newKey()];
  await tx.query(`insert into api_key (id, vendor_id, name, hash, scope, created) values ($1, $2, $3, $4, $5, $6::timestamptz)`, [
    id,
    vendorId,
    name,
    hashKey(key),
    scope,
    stamp(at),
  ]);
  return { id, key };
}
