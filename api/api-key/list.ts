import { iso } from '../../billing/calendar/instant.ts';
import { keyList, type ListedKey } from '../../db/sql/vendor-account/list-keys.ts';
import { exampleKeys } from '../example/operating.ts';
import { pageOf } from '../example/page.ts';
import { listPage } from '../http/list.ts';
import { route } from '../http/route.ts';
import { ApiKeyPage } from '../schema/operating.ts';
import { PageQuery } from '../schema/paging.ts';

export const listKeysRoute = route({
  method: 'get',
  path: '/v1/c/api_key',
  operationId: 'list_api_keys',
  tag: 'Keys and sessions',
  summary: 'List API keys',
  description: 'Oldest first, without their secrets; expired and revoked keys are included.',
  scope: 'full',
  query: PageQuery,
  response: { 200: ApiKeyPage },
  errors: ['invalid_cursor'],
  example: { response: pageOf(exampleKeys) },
  run: ({ vendor, query }, deps) => listPage<ListedKey, ReturnType<typeof toWire>>(deps, 'api_key', vendor, keyList(vendor), query, toWire),
});

const toWire = (key: ListedKey) => ({
  id: key.id,
  name: key.name,
  scope: key.scope,
  created: iso(key.created),
  expires: key.expiresAt == null ? null : iso(key.expiresAt),
  revoked: key.revokedAt == null ? null : iso(key.revokedAt),
});
