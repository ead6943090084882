import { z } from 'zod';
import { lockKey } from '../../services/vendor-account/manage-keys.ts';
import { replaceKey } from '../../services/vendor-account/replace-key.ts';
import { exampleId } from '../example/ids.ts';
import { exampleKey } from '../example/operating.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { ApiKeySecret, KeyId, RotateRequest } from '../schema/operating.ts';

const DAY_SECONDS = 86_400;

export const rotateKeyRoute = route({
  method: 'post',
  path: '/v1/c/api_key/{api_key_id}/rotate',
  operationId: 'rotate_api_key',
  tag: 'Keys and sessions',
  summary: 'Replace an API key',
  description:
    'Makes a new key with the same name and scope. The old key works for `overlap_seconds` more, a day unless given; 0 ends it at once.',
  scope: 'full',
  params: z.object({ api_key_id: KeyId }),
  body: RotateRequest,
  bodyOptional: true,
  response: { 201: ApiKeySecret },
  errors: ['api_key_not_found', 'api_key_revoked'],
  example: { body: { overlap_seconds: 3600 }, response: { id: exampleId('Key', 3), key: exampleKey } },
  secret: true,
  write: async ({ vendor, params, body, tx }) => {
    const old = await lockKey(tx, vendor, params.api_key_id);
    if (old === null) throw new Problem('api_key_not_found');
    if (old.revokedAt !== null) throw new Problem('api_key_revoked');
    return replaceKey(tx, { vendorId: vendor, key: old, overlapMs: (body.overlap_seconds ?? DAY_SECONDS) * 1000, at: Date.now() });
  },
});
