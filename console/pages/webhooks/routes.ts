import { onGet } from '../../http/route.ts';
import { showEndpoint } from './endpoint.ts';
import { showEndpointEvent } from './event.ts';
import { endpointForms } from './form.ts';
import { showEndpoints } from './list.ts';
import { showSecret } from './secret.ts';

/** Where events are sent, what became of them, and why one hasn't arrived. */
export const webhookPages = [
  onGet('/webhooks', showEndpoints),
  ...endpointForms,
  onGet('/webhook/:id', showEndpoint),
  onGet('/webhook/:id/secret', showSecret),
  onGet('/webhook/:id/event/:event', showEndpointEvent),
];
