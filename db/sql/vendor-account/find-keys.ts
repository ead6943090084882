import type { Database } from '../../connect.ts';
import type { KeyRecord } from '../../vendor-account/api-key.ts';
import { unsized } from '../unsized.ts';
import { LIVE } from './live-key.ts';

const COLUMNS = `id, vendor_id as "vendorId", hash, scope`;

/**
 * The live key of each hash or id, null where there is none; many requests come with few keys. SQL, because every
 * request begins with it: one prepared statement for all that arrive together.
 */
export async function findKeys(db: Database, by: 'hash' | 'id', values: readonly string[]): Promise<(KeyRecord | null)[]> {
  const rows = await db.prepared<KeyRecord>(
    `keys_by_${by}`,
    `select ${COLUMNS} from api_key where ${by} = any(${unsized('$1', 'text[]')}) and ${LIVE}`,
    [[...new Set(values)]],
  );
  const found = new Map(rows.map((row) => [row[by], row]));
  return values.map((value) => found.get(value) ?? null);
}
