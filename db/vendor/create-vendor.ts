import type { Configuration } from '../../billing/contract/types.ts';
import type { Database } from '../connect.ts';
import { ApiKey, Vendor } from '../entities/vendor.ts';
import { newId } from '../id.ts';
import { hashApiKey, newApiKey } from './api-key.ts';

export type NewVendor = { vendorId: string; keyId: string /** Shown once: only its hash is kept. */; apiKey: string };

/** What a vendor's contracts fall back to until the vendor says otherwise. */
export const FIRST_PREFERENCES: Configuration = {
  automaticPayment: true,
  dueDatePolicy: 'start_of_period',
  invoiceTrigger: 'immediate',
  usagePeriodClosingPolicy: 'automatic',
};

/** A vendor and its first key, which may do everything. */
export async function createVendor(db: Database, name: string, now: number = Date.now()): Promise<NewVendor> {
  const vendorId = newId('Wbc');
  const keyId = newId('Key');
  const apiKey = newApiKey();
  await db.transaction(async ({ em }) => {
    em.create(Vendor, {
      id: vendorId,
      name,
      created: now,
      invoicing: FIRST_PREFERENCES,
      seller: null,
      paymentThreshold: {},
      retryDays: null,
    });
    em.create(ApiKey, {
      ...{ id: keyId, vendorId, name: 'first key', hash: hashApiKey(apiKey), scope: 'full', created: now },
      ...{ expiresAt: null, revokedAt: null, lastUsedAt: null },
    });
    await em.flush();
  });
  return { vendorId, keyId, apiKey };
}

/** Whether a key is known and may still be used. */
export async function isLiveKey(db: Database, key: string): Promise<boolean> {
  const rows = await db.query('select 1 from api_key where hash = $1 and revoked_at is null', [hashApiKey(key)]);
  return rows.length > 0;
}
