import { z } from 'zod';
import { lockKey, revokeKey } from '../../services/vendor-account/manage-keys.ts';
import { ids } from '../example/ids.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { Nothing } from '../schema/common.ts';
import { KeyId } from '../schema/operating.ts';

export const revokeKeyRoute = route({
  method: 'post',
  path: '/v1/c/api_key/{api_key_id}/revoke',
  operationId: 'revoke_api_key',
  tag: 'Keys and sessions',
  summary: 'Revoke an API key',
  description: 'The key and its sessions end at once. Revoking twice changes nothing.',
  scope: 'full',
  params: z.object({ api_key_id: KeyId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: KeyId },
  errors: ['api_key_not_found'],
  example: { body: {}, response: ids.key },
  write: async ({ vendor, params, tx }) => {
    const key = await lockKey(tx, vendor, params.api_key_id);
    if (key === null) throw new Problem('api_key_not_found');
    await revokeKey(tx, key, Date.now());
    return params.api_key_id;
  },
});
