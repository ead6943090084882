import { iso } from '../../billing/calendar/instant.ts';
import { hasEvent } from '../../db/event/exists.ts';
import { eventList, type ListedEvent } from '../../db/sql/event/list.ts';
import { settledSeq } from '../../services/webhook/settled.ts';
import { invoiceEvents } from '../example/operating.ts';
import { pageOf } from '../example/page.ts';
import { listPage } from '../http/list.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { EventPage, EventSearch } from '../schema/operating.ts';
import { recordToWire } from '../wire/plain.ts';

export const listEventsRoute = route({
  method: 'get',
  path: '/v1/c/event',
  operationId: 'list_events',
  tag: 'Events',
  summary: 'List events',
  description: 'The log of what happened, in the order of writing. `sequence` numbers the events of each object.',
  scope: 'read',
  query: EventSearch,
  response: { 200: EventPage },
  errors: ['invalid_cursor', 'event_not_found'],
  example: { response: pageOf(invoiceEvents) },
  run: async ({ vendor, query }, deps) => {
    if (query.after !== undefined && !(await hasEvent(deps.db.em(), vendor, query.after))) throw new Problem('event_not_found');
    const list = eventList(vendor, await settledSeq(deps.db, vendor), query);
    return listPage<ListedEvent, ReturnType<typeof toWire>>(deps, 'event', vendor, list, query, toWire);
  },
});

const toWire = (event: ListedEvent) => ({
  id: event.id,
  type: event.type,
  timestamp: iso(event.timestamp),
  object: event.object_id,
  sequence: event.object_sequence,
  data: recordToWire(event.data),
});
