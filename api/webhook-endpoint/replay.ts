import { z } from 'zod';
import { lockEndpoint } from '../../services/webhook/endpoint.ts';
import { replayAfter } from '../../services/webhook/steer.ts';
import { exampleId } from '../example/ids.ts';
import { exampleEndpoint } from '../example/webhook.ts';
import { route } from '../http/route.ts';
import { EndpointId, ReplayRequest, WebhookEndpoint } from '../schema/webhook.ts';
import { showEndpoint } from './show.ts';

export const replayRoute = route({
  method: 'post',
  path: '/v1/c/webhook_endpoint/{endpoint_id}/replay',
  operationId: 'replay_webhook_events',
  tag: 'Events',
  summary: 'Send events again',
  description:
    'All events recorded after the given one are sent again in their order, with the ids and bodies they had; then what is new. Receivers know repeats by `webhook-id`.',
  scope: 'full',
  params: z.object({ endpoint_id: EndpointId }),
  body: ReplayRequest,
  response: { 200: WebhookEndpoint },
  errors: ['webhook_endpoint_not_found', 'event_not_found'],
  example: { body: { after: exampleId('Evt', 3) }, response: exampleEndpoint },
  write: async ({ vendor, params, body, tx }) => {
    const endpoint = await lockEndpoint(tx, vendor, params.endpoint_id);
    await replayAfter(tx, endpoint, body.after);
    return showEndpoint(tx, vendor, endpoint.id);
  },
});
