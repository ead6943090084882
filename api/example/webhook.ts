import type { z } from 'zod';
import type { WebhookDelivery, WebhookEndpoint } from '../schema/webhook.ts';
import { exampleId, ids } from './ids.ts';

/** In the form of real ones; no endpoint has it. */
export const exampleSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

export const exampleEndpoint = {
  id: ids.endpoint,
  url: 'https://example.com/perennial',
  types: ['v1.invoice.created', 'v1.invoice.paid'],
  description: null,
  status: 'active',
  paused_reason: null,
  cursor: exampleId('Evt', 20),
  created: '2026-05-04T09:30:00.000Z',
} satisfies z.input<typeof WebhookEndpoint>;

export const pausedEndpoint = { ...exampleEndpoint, status: 'paused', paused_reason: 'paused on request' } satisfies z.input<
  typeof WebhookEndpoint
>;

/** The first try failed, the second one was taken. */
export const exampleDeliveries = [
  {
    event: exampleId('Evt', 6),
    at: '2026-06-11T00:00:01.120Z',
    attempt: 1,
    status: 'failed',
    status_code: 503,
    duration_ms: 48,
    error: null,
    answer: 'The service is being restarted.',
  },
  {
    event: exampleId('Evt', 6),
    at: '2026-06-11T00:00:06.180Z',
    attempt: 2,
    status: 'delivered',
    status_code: 204,
    duration_ms: 31,
    error: null,
    answer: null,
  },
] satisfies z.input<typeof WebhookDelivery>[];
