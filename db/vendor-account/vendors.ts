import type { Queryable } from '../connect.ts';
import type { KeyScope } from './api-key.ts';

export interface ListedVendor {
  id: string;
  name: string;
  created: number;
  live_keys: number;
}

/** Everybody who bills here, the first one first. */
export async function listVendors(db: Queryable): Promise<ListedVendor[]> {
  return db.query(
    `select v.id, v.name, v.created,
            (select count(*)::int from api_key k
              where k.vendor_id = v.id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())) as live_keys
       from vendor v order by v.created, v.id`,
  );
}

export async function vendorExists(db: Queryable, id: string): Promise<boolean> {
  return (await db.query('select 1 from vendor where id = $1', [id])).length > 0;
}

interface VendorKey {
  id: string;
  name: string;
  scope: KeyScope;
  created: number;
  expires_at: number | null;
  revoked_at: number | null;
}

/** All keys of a vendor, those that are over too, without what is secret of them. */
export async function listKeys(db: Queryable, vendorId: string): Promise<VendorKey[]> {
  return db.query('select id, name, scope, created, expires_at, revoked_at from api_key where vendor_id = $1 order by created, id', [
    vendorId,
  ]);
}

/** Whose key it is; null: there is none with this id. */
export async function vendorOfKey(db: Queryable, keyId: string): Promise<string | null> {
  const [row] = await db.query<{ vendor_id: string }>('select vendor_id from api_key where id = $1', [keyId]);
  return row?.vendor_id ?? null;
}
