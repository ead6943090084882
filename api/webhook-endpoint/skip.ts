import { z } from 'zod';
import { lockEndpoint } from '../../services/webhook/endpoint.ts';
import { skipEvent } from '../../services/webhook/steer.ts';
import { exampleId } from '../example/ids.ts';
import { exampleEndpoint } from '../example/webhook.ts';
import { route } from '../http/route.ts';
import { EndpointId, SkipRequest, WebhookEndpoint } from '../schema/webhook.ts';
import { showEndpoint } from './show.ts';

export const skipEventRoute = route({
  method: 'post',
  path: '/v1/c/webhook_endpoint/{endpoint_id}/skip',
  operationId: 'skip_webhook_event',
  tag: 'Events',
  summary: 'Skip an event',
  description: 'The endpoint never gets this event, and the later events of its object are sent. It must not have been delivered yet.',
  scope: 'full',
  params: z.object({ endpoint_id: EndpointId }),
  body: SkipRequest,
  response: { 200: WebhookEndpoint },
  errors: ['webhook_endpoint_not_found', 'event_not_found', 'event_not_awaited'],
  example: { body: { event: exampleId('Evt', 3) }, response: exampleEndpoint },
  write: async ({ vendor, params, body, tx }) => {
    const endpoint = await lockEndpoint(tx, vendor, params.endpoint_id);
    await skipEvent(tx, endpoint, body.event, Date.now());
    return showEndpoint(tx, vendor, endpoint.id);
  },
});
