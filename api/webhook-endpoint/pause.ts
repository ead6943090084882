import { z } from 'zod';
import { lockEndpoint, pauseOnRequest } from '../../services/webhook/endpoint.ts';
import { pausedEndpoint } from '../example/webhook.ts';
import { route } from '../http/route.ts';
import { Nothing } from '../schema/common.ts';
import { EndpointId, WebhookEndpoint } from '../schema/webhook.ts';
import { showEndpoint } from './show.ts';

export const pauseEndpointRoute = route({
  method: 'post',
  path: '/v1/c/webhook_endpoint/{endpoint_id}/pause',
  operationId: 'pause_webhook_endpoint',
  tag: 'Events',
  summary: 'Pause a webhook endpoint',
  description: 'Nothing is sent until it is opened. Events of that time wait, with their objects as they were soon after each event.',
  scope: 'full',
  params: z.object({ endpoint_id: EndpointId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: WebhookEndpoint },
  errors: ['webhook_endpoint_not_found'],
  example: { body: {}, response: pausedEndpoint },
  write: async ({ vendor, params, tx }) => {
    const endpoint = await lockEndpoint(tx, vendor, params.endpoint_id);
    await pauseOnRequest(tx, endpoint);
    return showEndpoint(tx, vendor, endpoint.id);
  },
});
