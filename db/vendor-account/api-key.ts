import { hash } from 'node:crypto';
import type { Database } from '../connect.ts';
import type { KeyScope } from '../entities/vendor.ts';

export interface KeyRecord {
  id: string;
  vendorId: string;
  hash: string;
  scope: KeyScope;
}

/** Keys are random, so one round of SHA-256 keeps them as safe as a slow hash would. */
export const hashKey = (key: string): string => hash('sha256', key);

const LIVE = `revoked_at is null and (expires_at is null or expires_at > now())`;

/**
 * A condition for the statements that are run most, and name their caller's key: that it is live at this very moment. It spares a look at the
 * key beforehand: whoever comes with one that is over finds and writes nothing.
 *
 * @param keys the placeholder of all the keys of the statement, each once (`distinctKeys`): they are looked up before anything else, together
 */
export const liveKey = (keyId: string, keys: string): string =>
  `${keyId} = any (array(select id from api_key where id = any(${keys}::text[]) and ${LIVE}))`;

export const distinctKeys = (asks: readonly { keyId: string }[]): string[] => [...new Set(asks.map(({ keyId }) => keyId))];

const COLUMNS = `id, vendor_id as "vendorId", hash, scope`;

/** The live key of each hash or id, null where there is none; many requests come with few keys. */
export async function findKeys(db: Database, by: 'hash' | 'id', values: readonly string[]): Promise<(KeyRecord | null)[]> {
  const rows = await db.prepared<KeyRecord>(`keys_by_${by}`, `select ${COLUMNS} from api_key where ${by} = any($1::text[]) and ${LIVE}`, [
    [...new Set(values)],
  ]);
  const found = new Map(rows.map((row) => [row[by], row]));
  return values.map((value) => found.get(value) ?? null);
}
