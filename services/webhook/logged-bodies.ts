import type { Database, Queryable } from '../../db/connect.ts';
import { bodiesOf, bodyLengths } from '../../db/sql/webhook/bodies.ts';
import type { LoggedEvent } from '../../db/sql/webhook/read-news.ts';
import type { BodyMaker } from './port.ts';
import { ensureBodies } from './read-log.ts';

/**
 * Events as the log shows them, which is what webhooks send. Where no endpoint has asked for one its body is made now
 * and kept, so that it stays the same from then on.
 */
export async function loggedBodies(
  db: Database,
  makeBodies: BodyMaker,
  vendorId: string,
  events: readonly LoggedEvent[],
): Promise<string[]> {
  if (events.length === 0) return [];
  await ensureBodies(db, makeBodies, vendorId, events);
  return storedBodies(db, vendorId, events);
}

/** How many bytes the bodies of events have, which are stored from now on. */
export async function lengthsOfBodies(
  db: Database,
  makeBodies: BodyMaker,
  vendorId: string,
  events: readonly LoggedEvent[],
): Promise<{ total: number; longest: number }> {
  if (events.length === 0) return { total: 0, longest: 0 };
  await ensureBodies(db, makeBodies, vendorId, events);
  return bodyLengths(
    db,
    vendorId,
    events.map(({ seq }) => seq),
  );
}

/** The bodies of events that have them. */
export async function storedBodies(db: Queryable, vendorId: string, events: readonly LoggedEvent[]): Promise<string[]> {
  const bodies = await bodiesOf(
    db,
    vendorId,
    events.map(({ seq }) => seq),
  );
  return events.map(({ seq, id }) => bodies.get(seq) ?? missing(id));
}

function missing(id: string): never {
  throw new Error(`${id} has no body`);
}
