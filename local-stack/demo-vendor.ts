import { connect } from '../db/connect.ts';
import { createVendor, isLiveKey } from '../services/vendor-account/create.ts';
import type { Home } from './home.ts';

const FILE = 'demo-vendor.json';
type SavedVendor = { vendor_id: string; api_key: string };

/**
 * The key of the vendor that `npm start` prints; made once, and again when the key was revoked or the database is new.
 */
export async function demoVendorKey(home: Home, databaseUrl: string): Promise<string> {
  const db = await connect({ databaseUrl, databasePool: 2 });
  try {
    const saved = await home.readJson<SavedVendor | null>(FILE, null);
    if (saved && (await isLiveKey(db, saved.api_key))) return saved.api_key;
    const { vendorId, apiKey } = await createVendor(db, 'Demo vendor');
    await home.writeJson(FILE, { vendor_id: vendorId, api_key: apiKey } satisfies SavedVendor);
    return apiKey;
  } finally {
    await db.close();
  }
}
