import { recordToWire } from '../api/wire/plain.ts';
import { iso } from '../billing/calendar/instant.ts';
import type { NewBody } from '../db/sql/webhook/bodies.ts';
import type { LoggedEvent } from '../db/sql/webhook/read-news.ts';
import type { BodyMaker } from '../services/webhook/port.ts';
import { type Snapshot, snapshotsOf } from './objects.ts';

/** The bodies of events: what the log says of each, and its object as it is now. */
export const makeBodies: BodyMaker = async (db, events) => {
  const bodies: NewBody[] = [];
  for (const [vendorId, own] of Map.groupBy(events, (event) => event.vendorId)) {
    const snapshots = await snapshotsOf(db, vendorId, new Set(own.map(({ objectId }) => objectId)));
    bodies.push(...own.map((event) => bodyOf(event, snapshots.get(event.objectId))));
  }
  return bodies;
};

function bodyOf({ seq, id, vendorId, type, timestamp, objectId, sequence, data }: LoggedEvent, snapshot: Snapshot | undefined): NewBody {
  const details = { ...recordToWire(data), id: objectId, object: snapshot?.object ?? null };
  const body = JSON.stringify({ id, type, timestamp: iso(timestamp), object: objectId, sequence, data: details });
  const named = data.customer_id ?? data.customerId;
  return { seq, vendorId, customerId: snapshot?.customerId ?? (typeof named === 'string' ? named : null), objectId, body };
}
