import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { EventType } from '../../billing/event-types.ts';
import type { ListedEndpoint, ListedTry } from '../../db/sql/webhook/list.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../schema/webhook.ts';

export const endpointToWire = (endpoint: ListedEndpoint): z.input<typeof WebhookEndpoint> => ({
  id: endpoint.id,
  url: endpoint.url,
  types: endpoint.types as EventType[],
  description: endpoint.description,
  status: endpoint.status,
  paused_reason: endpoint.pausedReason,
  cursor: endpoint.cursor,
  created: iso(endpoint.created),
});

export const tryToWire = (one: ListedTry): z.input<typeof WebhookDelivery> => ({
  event: one.event_id,
  at: iso(one.at),
  attempt: one.attempt,
  status: one.status,
  status_code: one.status_code,
  duration_ms: one.duration_ms,
  error: one.error,
  answer: one.answer,
});
