import type { Caller } from '../../db/connect.ts';
import type { Tenant } from './route.ts';

/** Who is written down for what a request does: its key; for a request without one, the system. */
export const callerOf = ({ apiKeyId }: Pick<Tenant, 'apiKeyId'>): Caller =>
  apiKeyId === '' ? { type: 'system', id: null } : { type: 'key', id: apiKeyId };
