import type { EntityManager } from '@mikro-orm/postgresql';
import { ApiKey, type ApiKeyRecord, Vendor } from '../entities/vendor.ts';

export interface ListedVendor {
  id: string;
  name: string;
  created: number;
  live_keys: number;
}

/** All vendors that bill here, the first one first. */
export async function listVendors(em: EntityManager): Promise<ListedVendor[]> {
  const vendors = await em.find(Vendor, {}, { orderBy: { created: 'asc', id: 'asc' } });
  const live = { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: Date.now() } }] };
  const keys = Map.groupBy(await em.find(ApiKey, live), ({ vendor }) => vendor.id);
  return vendors.map(({ id, name, created }) => ({ id, name, created, live_keys: keys.get(id)?.length ?? 0 }));
}

export const vendorExists = async (em: EntityManager, id: string): Promise<boolean> => (await em.count(Vendor, { id })) > 0;

/** All keys of a vendor, those that have ended too. */
export const listKeys = (em: EntityManager, vendorId: string): Promise<ApiKeyRecord[]> =>
  em.find(ApiKey, { vendor: vendorId }, { orderBy: { created: 'asc', id: 'asc' } });

/** Whose key it is; null: there is none with this id. */
export const vendorOfKey = async (em: EntityManager, keyId: string): Promise<string | null> =>
  (await em.findOne(ApiKey, { id: keyId }))?.vendor.id ?? null;
