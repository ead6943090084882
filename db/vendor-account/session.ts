import type { EntityManager } from '@mikro-orm/postgresql';
import { EndedSession } from '../entities/vendor.ts';

/** Whether a session of a vendor's people was ended before its time. */
export const hasEnded = async (em: EntityManager, id: string): Promise<boolean> => (await em.count(EndedSession, { id })) > 0;
