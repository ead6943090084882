import { recordToWire } from '../api/wire/plain.ts';
import { iso } from '../billing/calendar/instant.ts';
import type { NewBody } from '../db/sql/webhook/bodies.ts';
import type { LoggedEvent } from '../db/sql/webhook/read-news.ts';
import type { BodyMaker } from '../services/webhook/port.ts';
import { snapshotsOf } from './objects.ts';

/**
 * The most characters of an object in a body. Each event of an object has it once more: a page of events of a customer
 * with thousands of contracts would take more memory than the process has.
 */
const LARGEST_OBJECT = 1_000_000;

/** The bodies of events: what the log says of each, and its object as it is now, unless that is too large. */
export const makeBodies: BodyMaker = async (db, events) => {
  const bodies: NewBody[] = [];
  for (const [vendorId, own] of Map.groupBy(events, (event) => event.vendorId)) {
    const snapshots = await snapshotsOf(db, vendorId, new Set(own.map(({ objectId }) => objectId)));
    const objects = new Map([...snapshots].map(([id, { object }]) => [id, objectText(object)]));
    bodies.push(
      ...own.map((event) => bodyOf(event, objects.get(event.objectId) ?? NONE, snapshots.get(event.objectId)?.customerId ?? null)),
    );
  }
  return bodies;
};

const NONE = 'null';

function objectText(object: unknown): string {
  const text = JSON.stringify(object);
  return text.length > LARGEST_OBJECT ? NONE : text;
}

function bodyOf(
  { seq, id, vendorId, type, timestamp, objectId, sequence, data }: LoggedEvent,
  object: string,
  customerId: string | null,
): NewBody {
  const details = { ...recordToWire(data), id: objectId };
  const body = JSON.stringify({ id, type, timestamp: iso(timestamp), object: objectId, sequence, data: details });
  const named = data.customer_id ?? data.customerId;
  // `data` is the last field and its `object` too: the text of a large object is made once for all of its events
  return {
    ...{ seq, vendorId, customerId: customerId ?? (typeof named === 'string' ? named : null), objectId },
    body: `${body.slice(0, -2)},"object":${object}}}`,
  };
}
