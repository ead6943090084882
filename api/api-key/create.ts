import { createApiKey } from '../../services/vendor-account/create-key.ts';
import { ids } from '../example/ids.ts';
import { exampleKey } from '../example/operating.ts';
import { route } from '../http/route.ts';
import { ApiKeyRequest, ApiKeySecret } from '../schema/operating.ts';

export const createKeyRoute = route({
  method: 'post',
  path: '/v1/c/api_key',
  operationId: 'create_api_key',
  tag: 'Keys and sessions',
  summary: 'Make an API key',
  description: 'The response shows the key this once: store it. The key acts for you alone, within its scope.',
  scope: 'full',
  body: ApiKeyRequest,
  response: { 201: ApiKeySecret },
  errors: [],
  example: { body: { name: 'usage reporter', scope: 'usage' }, response: { id: ids.key, key: exampleKey } },
  secret: true,
  write: ({ vendor, body, tx }) => createApiKey(tx, { vendorId: vendor, name: body.name, scope: body.scope, at: Date.now() }),
});
