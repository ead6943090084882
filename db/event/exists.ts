import type { EntityManager } from '@mikro-orm/postgresql';
import { Event } from '../entities/event.ts';

/** Whether a reader may go on from this event: one of the vendor's own. */
export const hasEvent = async (em: EntityManager, vendorId: string, id: string): Promise<boolean> =>
  (await em.count(Event, { vendorId, id })) > 0;
