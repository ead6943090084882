import type { ApiKeyRecord } from '../../entities/vendor.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';

/** A key as it may be shown: everything but the key. */
export type ListedKey = Pick<ApiKeyRecord, 'id' | 'name' | 'scope' | 'created' | 'expiresAt' | 'revokedAt'>;

/** The keys of a vendor. SQL, as all list pages are. */
export const keyList = (vendorId: string): List => ({
  from: 'api_key',
  select: 'api_key.id, name, scope, created, expires_at as "expiresAt", revoked_at as "revokedAt"',
  at: 'api_key.created',
  id: 'api_key.id',
  where: new Where().and('vendor_id = ?', vendorId),
});
