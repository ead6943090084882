import type { EntityManager } from '@mikro-orm/postgresql';
import { Audit } from '../entities/audit.ts';
import { hasEvent } from '../event/exists.ts';

/** Whether the vendor has this entry, of its own or made of an event, so that a reader may go on from it. */
export const hasAuditEntry = async (em: EntityManager, vendorId: string, id: string): Promise<boolean> =>
  (await em.count(Audit, { vendorId, id })) > 0 || hasEvent(em, vendorId, id.replace('Audit_', 'Evt_'));
