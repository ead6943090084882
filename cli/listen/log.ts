import type { EventType } from '../../billing/event-types.ts';
import type { Event, Perennial } from '../../client/src/index.ts';
import { answer } from '../connection/api.ts';

export type ListenedEvent = Event;

const PAGE = 100;
/** The listener has patience of its own, and says so. */
const ONCE = { maxRetries: 0 };

/** The newest event there is, from which a listener goes on; null: the log is empty. */
export async function lastEvent(api: Perennial, signal: AbortSignal): Promise<string | null> {
  const page = await answer(api.listEvents({ direction: 'backward', limit: 1 }, { signal, ...ONCE }));
  return page.hits.at(-1)?.id ?? null;
}

interface Reading {
  after: string | null;
  signal: AbortSignal;
}

/** The next events of the log, in its order; none where there are no newer ones. */
export async function eventsAfter(api: Perennial, { after, signal }: Reading): Promise<ListenedEvent[]> {
  const query = { limit: PAGE, ...(after === null ? {} : { after }) };
  return (await answer(api.listEvents(query, { signal, ...ONCE }))).hits;
}

/** Only events of these types; none named: all. The API takes one type at a time, and the cursor moves over all. */
export const ofTypes = (events: readonly ListenedEvent[], types: readonly EventType[]): ListenedEvent[] =>
  types.length === 0 ? [...events] : events.filter(({ type }) => types.includes(type));
