import type { Instant } from '../../billing/calendar/instant.ts';
import type { Database } from '../../db/connect.ts';
import { Event } from '../../db/entities/event.ts';
import { WebhookBacklog } from '../../db/entities/webhook.ts';
import type { Position } from '../../db/sql/list/list.ts';
import { type Newest, readNewest } from '../../db/sql/list/newest.ts';
import { type EndpointHealth, endpointHealth } from '../../db/sql/webhook/health.ts';
import { endpointList, type ListedEndpoint, type ListedTry, shownEndpoints, tryList } from '../../db/sql/webhook/list.ts';
import { MOST_ENDPOINTS } from '../webhook/endpoint.ts';
import { LIST_ROWS } from './lists.ts';

/** An endpoint, and how well events come through to it. */
export type EndpointView = ListedEndpoint & EndpointHealth;

/** An object whose next event an endpoint has refused. */
export interface FailingLane {
  eventId: string;
  type: string;
  objectId: string;
  attempts: number;
  failingSince: Instant | null;
  nextTry: Instant;
}

/** What the page of an endpoint shows. */
export interface EndpointPage {
  endpoint: EndpointView;
  /** those that have failed for longest */
  failing: FailingLane[];
  /** newest first */
  tries: Newest<ListedTry>;
}

const MOST_FAILING = 10;

/** The vendor's webhook endpoints, newest first: a vendor has few. */
export async function endpointViews(db: Database, vendorId: string): Promise<EndpointView[]> {
  const { rows } = await readNewest<ListedEndpoint>(db, endpointList(vendorId), null, MOST_ENDPOINTS);
  return rows.length === 0 ? [] : withHealth(db, vendorId, rows);
}

/** Those that get nothing because they are paused, or that refuse something. */
export const failingWebhooks = async (db: Database, vendorId: string): Promise<EndpointView[]> =>
  (await endpointViews(db, vendorId)).filter(({ status, failing }) => status === 'paused' || failing > 0);

/** One of them; null when the vendor has no such endpoint. */
export async function endpointView(db: Database, vendorId: string, id: string): Promise<EndpointView | null> {
  const [view] = await withHealth(db, vendorId, await shownEndpoints(db, vendorId, [id]));
  return view ?? null;
}

async function withHealth(db: Database, vendorId: string, endpoints: readonly ListedEndpoint[]): Promise<EndpointView[]> {
  const ids = endpoints.map(({ id }) => id);
  const health = new Map((await endpointHealth(db, vendorId, ids)).map((one) => [one.endpointId, one]));
  return endpoints.flatMap((endpoint) => {
    const own = health.get(endpoint.id);
    return own === undefined ? [] : [{ ...endpoint, ...own }];
  });
}

/** An endpoint with what it refuses and what was sent to it; null when the vendor has no such endpoint. */
export async function endpointPage(
  db: Database,
  vendorId: string,
  id: string,
  { after, ...filter }: { after: Position | null; status?: string | undefined; event?: string | undefined },
): Promise<EndpointPage | null> {
  const endpoint = await endpointView(db, vendorId, id);
  if (endpoint === null) return null;
  const tries = await readNewest<ListedTry>(db, tryList(id, filter), after, LIST_ROWS);
  return { endpoint, failing: await failingLanes(db, vendorId, id), tries };
}

async function failingLanes(db: Database, vendorId: string, endpoint: string): Promise<FailingLane[]> {
  const em = db.em();
  const refused = { endpoint, failures: { $gt: 0 } };
  const lanes = await em.find(WebhookBacklog, refused, { orderBy: { failingSince: 'asc' }, limit: MOST_FAILING });
  if (lanes.length === 0) return [];
  const events = await em.find(Event, { vendorId, seq: { $in: lanes.map(({ eventSeq }) => eventSeq) } });
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  return lanes.flatMap(({ eventSeq, objectId, attempts, failingSince, nextTry }) => {
    const event = bySeq.get(eventSeq);
    return event === undefined ? [] : [{ eventId: event.id, type: event.type, objectId, attempts, failingSince, nextTry }];
  });
}
