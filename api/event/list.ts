import { iso } from '../../billing/calendar/instant.ts';
import type { Database } from '../../db/connect.ts';
import { eventList, type ListedEvent } from '../../db/sql/event/list.ts';
import { eventInLog, requireNothingMissing } from '../../services/event/in-log.ts';
import { settledSeq } from '../../services/webhook/settled.ts';
import { snapshotsOf } from '../../snapshots/objects.ts';
import { invoiceEvents } from '../example/operating.ts';
import { pageOf } from '../example/page.ts';
import type { ApiDependencies } from '../http/dependencies.ts';
import { listPage } from '../http/list.ts';
import { route } from '../http/route.ts';
import { EventPage, EventSearch } from '../schema/operating.ts';
import { recordToWire } from '../wire/plain.ts';

export const listEventsRoute = route({
  method: 'get',
  path: '/v1/c/event',
  operationId: 'list_events',
  tag: 'Events',
  summary: 'List events',
  description:
    'The log of what happened, in the order of writing. `sequence` numbers the events of each object. With `with_object=true` each is what a webhook sends: `data.object` is the object as a GET shows it now.',
  scope: 'read',
  query: EventSearch,
  response: { 200: EventPage },
  errors: ['invalid_cursor', 'event_not_found'],
  example: { response: pageOf(invoiceEvents) },
  run: async ({ vendor, query }, deps) => {
    if (query.after !== undefined) await eventInLog(deps.db.em(), vendor, query.after, 'after');
    if (query.offset !== undefined) await requirePlace(deps, vendor, query.offset);
    const list = eventList(vendor, await settledSeq(deps.db, vendor), query);
    const page = await listPage<ListedEvent, ReturnType<typeof toWire>>(deps, 'event', vendor, list, query, toWire);
    return query.with_object === 'true' ? { ...page, hits: await withObjects(deps.db, vendor, page.hits) } : page;
  },
});

/** A cursor that goes on from a place before the beginning of the log would leave out what was deleted behind it. */
async function requirePlace({ db, cursors }: Pick<ApiDependencies, 'db' | 'cursors'>, vendor: string, offset: string): Promise<void> {
  const { start } = cursors.open(`event:${vendor}`, offset);
  if (start.from === 'after') await requireNothingMissing(db.em(), vendor, BigInt(start.position.at), 'offset');
}

const toWire = (event: ListedEvent) => ({
  id: event.id,
  type: event.type,
  timestamp: iso(event.timestamp),
  object: event.object_id,
  sequence: event.object_sequence,
  data: recordToWire(event.data),
});

async function withObjects(db: Database, vendor: string, events: readonly ReturnType<typeof toWire>[]) {
  const snapshots = await snapshotsOf(db, vendor, new Set(events.map(({ object }) => object)));
  return events.map((event) => ({ ...event, data: { ...event.data, object: snapshots.get(event.object)?.object ?? null } }));
}
