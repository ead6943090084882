import type { InferEntity } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../billing/refusal.ts';
import { Event, EventLogStart, type EventRow } from '../../db/entities/event.ts';
import { timePart } from '../../db/id.ts';

/**
 * An event of the vendor's log that a caller names.
 *
 * @param field in which it is named
 * @throws Refusal `event_not_found`; `invalid_request`: the log begins later, since older events are deleted
 */
export async function eventInLog(em: EntityManager, vendorId: string, id: string, field: string): Promise<EventRow> {
  const event = await em.findOne(Event, { id, vendorId });
  if (event !== null) return event;
  const start = await em.findOne(EventLogStart, { vendorId });
  if (start !== null && timePart(id) <= timePart(start.lastId)) throw await beginsLater(em, start, field);
  throw new Refusal('event_not_found', `There is no event ${id}.`, field);
}

/**
 * The number behind which a caller goes on if it has read up to an event. The event may be the last deleted one:
 * nothing behind that is missing, so a caller that has read all of a quiet log is never refused.
 *
 * @throws Refusal as `eventInLog`
 */
export async function placeBehind(em: EntityManager, vendorId: string, id: string, field: string): Promise<string> {
  const start = await em.findOne(EventLogStart, { vendorId, lastId: id });
  return start?.seq ?? (await eventInLog(em, vendorId, id, field)).seq;
}

/** Says where the log begins, so that the caller can decide what to do about the events that are deleted. */
async function beginsLater(em: EntityManager, { vendorId, lastId }: InferEntity<typeof EventLogStart>, field: string): Promise<Refusal> {
  const oldest = await em.findOne(Event, { vendorId }, { orderBy: { seq: 'asc' }, fields: ['id'] });
  const beginning = oldest === null ? `holds none since ${lastId}` : `begins with ${oldest.id}`;
  const text = `the log of events ${beginning}: older ones are deleted, the last of them ${lastId}; behind that one nothing is missing`;
  return new Refusal('invalid_request', text, field);
}

/**
 * Refuses to go on from a place before the beginning of the log, where events that were never read are deleted.
 *
 * @param seq number of the last event that was read
 */
export async function requireNothingMissing(em: EntityManager, vendorId: string, seq: bigint, field: string): Promise<void> {
  const start = await em.findOne(EventLogStart, { vendorId });
  if (start !== null && seq < BigInt(start.seq)) throw await beginsLater(em, start, field);
}
