import type { EntityManager } from '@mikro-orm/postgresql';
import type { Queryable } from '../connect.ts';
import { ApiKey, type ApiKeyRecord, Vendor } from '../entities/vendor.ts';

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

export const vendorExists = async (em: EntityManager, id: string): Promise<boolean> => (await em.count(Vendor, { id })) > 0;

/** All keys of a vendor, those that are over too. */
export const listKeys = (em: EntityManager, vendorId: string): Promise<ApiKeyRecord[]> =>
  em.find(ApiKey, { vendor: vendorId }, { orderBy: { created: 'asc', id: 'asc' } });

/** Whose key it is; null: there is none with this id. */
export const vendorOfKey = async (em: EntityManager, keyId: string): Promise<string | null> =>
  (await em.findOne(ApiKey, { id: keyId }))?.vendor.id ?? null;
