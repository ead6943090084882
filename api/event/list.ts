import type { z } from 'zod';
import { eventList } from '../../db/sql/event/list.ts';
import type { LoggedEvent } from '../../db/sql/webhook/read-news.ts';
import { placeBehind, requireNothingMissing } from '../../services/event/in-log.ts';
import { lengthsOfBodies, storedBodies } from '../../services/webhook/logged-bodies.ts';
import { settledSeq } from '../../services/webhook/settled.ts';
import { makeBodies } from '../../snapshots/event-body.ts';
import { invoiceEvents } from '../example/operating.ts';
import { pageOf } from '../example/page.ts';
import { paginate } from '../http/cursor.ts';
import type { ApiDependencies } from '../http/dependencies.ts';
import { fittingPage, howManyFit } from '../http/fitting.ts';
import { route } from '../http/route.ts';
import { type Event, EventPage, EventSearch } from '../schema/operating.ts';

/** The most bytes of bodies on one page: they are parsed and written again, which holds up all other requests. */
const PAGE_BYTES = 5_000_000;

export const listEventsRoute = route({
  method: 'get',
  path: '/v1/c/event',
  operationId: 'list_events',
  tag: 'Events',
  summary: 'List events',
  description:
    'The log of what happened, in the order of writing. `sequence` numbers the events of each object. Each is what a webhook sends: `data.object` is the object as it was soon after the fact, or when the event was first read or sent.',
  scope: 'read',
  query: EventSearch,
  response: { 200: EventPage },
  errors: ['invalid_cursor', 'event_not_found'],
  example: { response: pageOf(invoiceEvents) },
  run: async ({ vendor, query }, deps) => {
    const behind = query.after === undefined ? undefined : await placeBehind(deps.db.em(), vendor, query.after, 'after');
    if (query.offset !== undefined) await requirePlace(deps, vendor, query.offset);
    const list = eventList(vendor, await settledSeq(deps.db, vendor), { ...query, behind });
    const read = (limit = query.limit) => paginate<LoggedEvent>(deps.db, deps.cursors, `event:${vendor}`, list, { ...query, limit });
    const page = await fittingPage(read, async (events) =>
      howManyFit(events.length, await lengthsOfBodies(deps.db, makeBodies, vendor, events), PAGE_BYTES),
    );
    const bodies = await storedBodies(deps.db, vendor, page.hits);
    return { ...page, hits: bodies.map((body) => JSON.parse(body) as z.output<typeof Event>) };
  },
});

/** A cursor that goes on from a place before the beginning of the log would leave out what was deleted behind it. */
async function requirePlace({ db, cursors }: Pick<ApiDependencies, 'db' | 'cursors'>, vendor: string, offset: string): Promise<void> {
  const { start } = cursors.open(`event:${vendor}`, offset);
  if (start.from === 'after') await requireNothingMissing(db.em(), vendor, BigInt(start.position.at), 'offset');
}
