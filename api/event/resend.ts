import { z } from 'zod';
import { resendEvent } from '../../services/webhook/steer.ts';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { EventId } from '../schema/common.ts';
import { ResendRequest, ResentTo } from '../schema/webhook.ts';

export const resendEventRoute = route({
  method: 'post',
  path: '/v1/c/event/{event_id}/resend',
  operationId: 'resend_event',
  tag: 'Events',
  summary: 'Send an event again',
  description:
    'Once more with the same id and body, beside the order of its object; where an endpoint still waits for the event, it is tried now.',
  scope: 'full',
  params: z.object({ event_id: EventId }),
  body: ResendRequest,
  bodyOptional: true,
  response: { 200: ResentTo },
  errors: ['event_not_found', 'webhook_endpoint_not_found'],
  example: { body: { endpoint: ids.endpoint }, response: { endpoints: [ids.endpoint] } },
  write: async ({ vendor, params, body, tx }) => ({ endpoints: await resendEvent(tx, vendor, params.event_id, body.endpoint ?? null) }),
});
