import { DEFAULT_CONFIGURATION } from '../../billing/contract/terms/sign.ts';
import type { Database } from '../../db/connect.ts';
import { Vendor } from '../../db/entities/vendor.ts';
import { newId } from '../../db/id.ts';
import { findKeys } from '../../db/sql/vendor-account/find-keys.ts';
import { hashKey } from '../../db/vendor-account/api-key.ts';
import { createApiKey } from './create-key.ts';

/** The key's text is shown once: only its hash is stored. */
export type NewVendor = { vendorId: string; keyId: string; apiKey: string };

/** A vendor and its first key, which may do everything. */
export async function createVendor(db: Database, name: string): Promise<NewVendor> {
  const vendorId = newId('Wbc');
  const now = Date.now();
  return db.transaction(async (tx) => {
    tx.em.create(Vendor, { id: vendorId, name, created: now, invoicing: DEFAULT_CONFIGURATION, paymentThreshold: {} });
    const { id, key } = await createApiKey(tx, { vendorId, name: 'first key', scope: 'full', at: now });
    return { vendorId, keyId: id, apiKey: key };
  });
}

/** Whether a key is known and may still be used. */
export async function isLiveKey(db: Database, key: string): Promise<boolean> {
  const [found] = await findKeys(db, 'hash', [hashKey(key)]);
  return found != null;
}
