import { z } from 'zod';
import { lockEndpoint, rotateSecret } from '../../services/webhook/endpoint.ts';
import { exampleSecret } from '../example/webhook.ts';
import { route } from '../http/route.ts';
import { Nothing } from '../schema/common.ts';
import { EndpointId, RotatedSecret } from '../schema/webhook.ts';

export const rotateSecretRoute = route({
  method: 'post',
  path: '/v1/c/webhook_endpoint/{endpoint_id}/rotate_secret',
  operationId: 'rotate_webhook_secret',
  tag: 'Events',
  summary: 'Replace the secret of a webhook endpoint',
  description:
    'The response shows the new secret this once. For 24 hours each delivery has the signatures of both, so receivers can change over at any time.',
  scope: 'full',
  params: z.object({ endpoint_id: EndpointId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: RotatedSecret },
  errors: ['webhook_endpoint_not_found'],
  example: { body: {}, response: { secret: exampleSecret } },
  secret: true,
  write: async ({ vendor, params, tx }, { settings }) => {
    const endpoint = await lockEndpoint(tx, vendor, params.endpoint_id);
    return { secret: await rotateSecret(tx, endpoint, { own: settings.secret, now: Date.now() }) };
  },
});
