import type { Queryable } from '../../db/connect.ts';
import type { List } from '../../db/list/page.ts';
import { Where } from '../../db/list/where.ts';
import { stamp } from '../../db/rows.ts';
import type { KeyScope } from '../../db/vendor-account/api-key.ts';

/** A key as it may be shown: everything but the key. */
export interface ListedKey {
  id: string;
  name: string;
  scope: KeyScope;
  created: number;
  expires_at: number | null;
  revoked_at: number | null;
}

export const keyList = (vendorId: string): List => ({
  from: 'api_key',
  select: 'api_key.id, name, scope, created, expires_at, revoked_at',
  at: 'api_key.created',
  id: 'api_key.id',
  where: new Where().and('vendor_id = ?', vendorId),
});

/** Held until the transaction ends, so that of two rotations the second sees the first. */
export async function lockKey(tx: Queryable, vendorId: string, id: string): Promise<ListedKey | null> {
  const [row] = await tx.query<ListedKey>(
    'select id, name, scope, created, expires_at, revoked_at from api_key where vendor_id = $1 and id = $2 for update',
    [vendorId, id],
  );
  return row ?? null;
}

/** Works on until then, unless it ends earlier anyway. */
export async function expireKey(tx: Queryable, id: string, at: number): Promise<void> {
  await tx.query('update api_key set expires_at = least(expires_at, $2::timestamptz) where id = $1', [id, stamp(at)]);
}

export async function revokeKey(tx: Queryable, id: string, at: number): Promise<void> {
  await tx.query('update api_key set revoked_at = coalesce(revoked_at, $2::timestamptz) where id = $1', [id, stamp(at)]);
}
