import type { Database } from '../../db/connect.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import { readCustomer } from '../../db/customer/read.ts';
import type { PortalFlow } from '../../db/entities/portal.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { endDueFreeze } from '../customer/activate.ts';
import { isFreezeOver } from '../customer/freeze-over.ts';
import { type PortalLook, portalLook } from './look.ts';
import { type PortalVisitor, touchPortalSession } from './token.ts';

/** Who visits, and what every page shows. */
interface VisitFacts {
  visitor: PortalVisitor;
  customer: CustomerRecord;
  look: PortalLook;
  flow: PortalFlow | null;
  returnUrl: string | null;
  /** the customer's time */
  now: number;
}

/** The visit of a session, which lasts for another hour from now; null when the session is unknown or has ended. */
export async function readVisit(db: Database, session: string): Promise<VisitFacts | null> {
  const em = db.em();
  const opened = await touchPortalSession(em, session);
  if (opened === null) return null;
  const { flow, returnUrl, ...visitor } = opened;
  const customer = await readCustomer(em, visitor.vendorId, visitor.customerId);
  const look = await portalLook(db, visitor.vendorId);
  if (customer === null || look === null) return null;
  return { visitor, customer, look, flow, returnUrl, now: await nowOf(db, customer.clockId) };
}

/** The same for an act: a freeze that was to end by now is ended first, so that the customer may act. */
export async function readVisitToAct(db: Database, session: string): Promise<VisitFacts | null> {
  const visit = await readVisit(db, session);
  if (visit === null || !isFreezeOver({ ...visit.customer, now: visit.now })) return visit;
  await endDueFreeze(db, visit.customer.id);
  return readVisit(db, session);
}
