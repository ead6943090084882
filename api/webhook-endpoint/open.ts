import { z } from 'zod';
import { lockEndpoint, openEndpoint } from '../../services/webhook/endpoint.ts';
import { exampleEndpoint } from '../example/webhook.ts';
import { route } from '../http/route.ts';
import { Nothing } from '../schema/common.ts';
import { EndpointId, WebhookEndpoint } from '../schema/webhook.ts';
import { showEndpoint } from './show.ts';

export const openEndpointRoute = route({
  method: 'post',
  path: '/v1/c/webhook_endpoint/{endpoint_id}/open',
  operationId: 'open_webhook_endpoint',
  tag: 'Events',
  summary: 'Open a webhook endpoint again',
  description: 'It goes on from its cursor: what waits is sent at once, in order, and nothing is left out.',
  scope: 'full',
  params: z.object({ endpoint_id: EndpointId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: WebhookEndpoint },
  errors: ['webhook_endpoint_not_found'],
  example: { body: {}, response: exampleEndpoint },
  write: async ({ vendor, params, tx }) => {
    const endpoint = await lockEndpoint(tx, vendor, params.endpoint_id);
    await openEndpoint(tx, endpoint);
    return showEndpoint(tx, vendor, endpoint.id);
  },
});
