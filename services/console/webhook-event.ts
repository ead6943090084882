import type { Instant } from '../../billing/calendar/instant.ts';
import type { Database } from '../../db/connect.ts';
import { Event, type EventRow } from '../../db/entities/event.ts';
import { EventBody, WebhookBacklog } from '../../db/entities/webhook.ts';
import { readNewest } from '../../db/sql/list/newest.ts';
import { isAwaited } from '../../db/sql/webhook/is-awaited.ts';
import { type ListedEndpoint, type ListedTry, shownEndpoints, tryList } from '../../db/sql/webhook/list.ts';

/** Why an event has arrived at an endpoint, or hasn't. */
export type EventStanding =
  | { readonly kind: 'delivered' | 'skipped' | 'not_chosen' | 'before' | 'soon' | 'given_up' }
  /** it is tried again, at an instant unless the endpoint is paused */
  | { readonly kind: 'waiting'; readonly nextTry: Instant }
  /** an earlier event of the same object comes first */
  | { readonly kind: 'behind'; readonly first: string };

/** What the page of an event at an endpoint shows. */
export interface EndpointEvent {
  endpoint: ListedEndpoint;
  event: EventRow;
  standing: EventStanding;
  /** whether it may be left out */
  isAwaited: boolean;
  /** newest first */
  tries: ListedTry[];
  /** what is sent; null: it is not made yet, or no longer kept */
  body: string | null;
}

/** Answers are long, so a page has few tries. */
const MOST_TRIES = 10;

/** An event at an endpoint; null when the vendor has no such endpoint or event. */
export async function endpointEvent(db: Database, vendorId: string, endpointId: string, eventId: string): Promise<EndpointEvent | null> {
  const em = db.em();
  const [endpoint] = await shownEndpoints(db, vendorId, [endpointId]);
  const event = await em.findOne(Event, { id: eventId, vendorId });
  if (endpoint === undefined || event === null) return null;
  const { rows: tries } = await readNewest<ListedTry>(db, tryList(endpointId, { event: eventId }), null, MOST_TRIES);
  const awaited = await isAwaited(db, endpointId, eventId);
  const standing = await standingOf(db, { endpoint, event, tries, awaited });
  const body = await em.findOne(EventBody, { eventSeq: event.seq, vendorId });
  return { endpoint, event, standing, isAwaited: awaited, tries, body: body?.body ?? null };
}

interface Known {
  endpoint: ListedEndpoint;
  event: EventRow;
  tries: readonly ListedTry[];
  awaited: boolean;
}

async function standingOf(db: Database, { endpoint, event, tries, awaited }: Known): Promise<EventStanding> {
  const lanes = await db.em().find(WebhookBacklog, { endpoint: endpoint.id, lane: { $in: [event.id, event.objectId] } });
  const own = lanes.find(({ lane, eventSeq }) => lane === event.id || (awaited && eventSeq === event.seq));
  if (own !== undefined) return { kind: 'waiting', nextTry: own.nextTry };
  if (awaited) return behindOrSoon(db, event, lanes[0]?.eventSeq);
  if (tries.some(({ status }) => status === 'delivered')) return { kind: 'delivered' };
  if (tries.some(({ status }) => status === 'skipped')) return { kind: 'skipped' };
  if (tries.length > 0) return { kind: 'given_up' };
  const isChosen = endpoint.types.length === 0 || endpoint.types.includes(event.type);
  return { kind: isChosen ? 'before' : 'not_chosen' };
}

/** The object's events are sent in their order: the first one that isn't delivered holds up the others. */
async function behindOrSoon(db: Database, { vendorId }: EventRow, firstSeq: string | undefined): Promise<EventStanding> {
  const first = firstSeq === undefined ? null : await db.em().findOne(Event, { seq: firstSeq, vendorId });
  return first === null ? { kind: 'soon' } : { kind: 'behind', first: first.id };
}
