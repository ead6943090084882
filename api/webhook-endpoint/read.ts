import { z } from 'zod';
import { exampleEndpoint } from '../example/webhook.ts';
import { route } from '../http/route.ts';
import { EndpointId, WebhookEndpoint } from '../schema/webhook.ts';
import { showEndpoint } from './show.ts';

export const readEndpointRoute = route({
  method: 'get',
  path: '/v1/c/webhook_endpoint/{endpoint_id}',
  operationId: 'get_webhook_endpoint',
  tag: 'Events',
  summary: 'Read a webhook endpoint',
  description: 'Without its secret. `cursor` tells how far it has come.',
  scope: 'read',
  params: z.object({ endpoint_id: EndpointId }),
  response: { 200: WebhookEndpoint },
  errors: ['webhook_endpoint_not_found'],
  example: { response: exampleEndpoint },
  run: ({ vendor, params }, { db }) => showEndpoint(db, vendor, params.endpoint_id),
});
