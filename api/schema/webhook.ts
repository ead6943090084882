import { z } from 'zod';
import { EventId, idSchema, listOf, Name, Timestamp } from './common.ts';
import { EventType } from './operating.ts';
import { paginated, pagingQuery } from './paging.ts';

export const EndpointId = idSchema('Hook').meta({
  id: 'WebhookEndpointId',
  description: 'Id of an address of yours that events are sent to.',
});

const MOST_URL = 2_000;
const MOST_TYPES = 100;

const isWeb = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
const hasLogin = (text: string): boolean => URL.canParse(text) && (new URL(text).username !== '' || new URL(text).password !== '');

const TargetUrl = z
  .string()
  .max(MOST_URL)
  .refine(isWeb, 'must be an address with http or https')
  .refine((text) => !hasLogin(text), 'must not contain a user or a password')
  .meta({ examples: ['https://example.com/perennial'] });
const Types = listOf(EventType, MOST_TYPES);

export const EndpointRequest = z
  .strictObject({
    id: z
      .union([z.literal(''), EndpointId])
      .nullish()
      .describe('Of the endpoint that is changed; absent: a new one.'),
    url: TargetUrl.optional().describe(
      'Where events are sent; needed for a new endpoint. Public addresses alone, outside the embedded mode.',
    ),
    types: Types.nullish().describe('Only events of these types are sent; none, or null: all. Absent: not changed.'),
    description: Name.nullish().describe('What it is for; null for nothing.'),
  })
  .refine((body) => Boolean(body.id) || body.url !== undefined, { path: ['url'], message: 'is required' })
  .meta({ id: 'WebhookEndpointRequest', description: 'A webhook endpoint to be made or changed.' });

const Secret = z.string().describe('What deliveries are signed with, by Standard Webhooks. It can’t be read again.');
export const EndpointSecret = z
  .object({
    id: EndpointId.describe('For later calls about it.'),
    secret: Secret.nullable().describe('Of a new endpoint, this once; null after a change.'),
  })
  .meta({ id: 'WebhookEndpointSecret', description: 'A webhook endpoint with its secret, which is shown only once.' });
export const RotatedSecret = z
  .object({ secret: Secret })
  .meta({ id: 'RotatedWebhookSecret', description: 'The new secret. For 24 hours the former one signs too.' });

export const WebhookEndpoint = z
  .object({
    id: EndpointId.describe('For later calls about it.'),
    url: z.string().describe('Where events are sent.'),
    types: z.array(EventType).describe('Only events of these types are sent; none: all.'),
    description: z.string().nullable().describe('What it is for; null for nothing.'),
    status: z.enum(['active', 'paused']).describe('paused: nothing is sent until it is opened.'),
    paused_reason: z.string().nullable().describe('Why it is paused; null when it is active.'),
    cursor: EventId.nullable().describe('The last event up to which all were delivered or skipped; null: there is none.'),
    created: Timestamp.describe('When it was made.'),
  })
  .meta({ id: 'WebhookEndpoint', description: 'An address of yours that events are sent to.' });
export const WebhookEndpointPage = paginated(WebhookEndpoint, 'WebhookEndpointPage');
export const DeletedEndpoint = z
  .object({ id: EndpointId.describe('Its id, which no call takes any more.') })
  .meta({ id: 'DeletedWebhookEndpoint', description: 'What is left of an address that no events are sent to any more.' });

const DeliveryStatus = z.enum(['delivered', 'failed', 'skipped']);
export const WebhookDelivery = z
  .object({
    event: EventId.describe('What was sent: its `webhook-id`.'),
    at: Timestamp.describe('When the try began.'),
    attempt: z.int().describe('Number of the try of this event, from 1; 0 where it was skipped.'),
    status: DeliveryStatus.describe('delivered: the answer was a 2xx.'),
    status_code: z.int().nullable().describe('Status of the answer; null where there was none.'),
    duration_ms: z.int().describe('Milliseconds until the answer.'),
    error: z.string().nullable().describe('Why there was no answer; null otherwise.'),
    answer: z.string().nullable().describe('The beginning of a failing answer, 4 KB at most; null otherwise.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'One try to send an event to an endpoint.' });
export const WebhookDeliveryPage = paginated(WebhookDelivery, 'WebhookDeliveryPage');
export const DeliverySearch = z.strictObject({
  event: EventId.optional().describe('Only tries of this event.'),
  status: DeliveryStatus.optional().describe('Only tries that ended so.'),
  ...pagingQuery,
});

export const SkipRequest = z
  .strictObject({ event: EventId.describe('The event that is left out.') })
  .meta({ id: 'WebhookSkipRequest', description: 'An event that an endpoint is never to get.' });
export const ReplayRequest = z
  .strictObject({ after: EventId.describe('All events recorded after this one are sent again.') })
  .meta({ id: 'WebhookReplayRequest', description: 'Where an endpoint is to begin again.' });
export const ResendRequest = z
  .strictObject({ endpoint: EndpointId.nullish().describe('The endpoint it is sent to; absent: all that get events of its type.') })
  .meta({ id: 'EventResendRequest', description: 'Where an event is sent again.' });
export const ResentTo = z
  .object({ endpoints: z.array(EndpointId).describe('Ids of those that get it: none where no endpoint takes its type.') })
  .meta({ id: 'EventResent', description: 'Who gets an event again.' });
