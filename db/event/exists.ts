import type { EntityManager } from '@mikro-orm/postgresql';
import { Event } from '../entities/event.ts';

/** Whether the vendor has this event, so that a reader may go on from it. */
export const hasEvent = async (em: EntityManager, vendorId: string, id: string): Promise<boolean> =>
  (await em.count(Event, { vendorId, id })) > 0;
