import type { Instant } from '../../billing/calendar/instant.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { Customer } from '../../db/entities/customer.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { lockCustomerRow } from '../../db/sql/customer/lock.ts';
import { alertsOf } from '../../db/sql/usage/list-alerts.ts';
import { tellBalance } from '../usage-alert/tell.ts';
import { CREDIT_LOOK } from './agenda.ts';

/** Looks at a customer's credits on the wall clock; a second run finds nothing to do. */
export async function lookAtDueCredits(db: Database, customerId: string): Promise<void> {
  const now = await nowOf(db, null);
  await db.transaction((tx) => lookAtCredits(tx, customerId, now), { by: 'timer' });
}

/**
 * Looks at what is left of a customer's credits, now that they have become less, and tells of what they have fallen to.
 *
 * @param now on the customer's clock
 */
export async function lookAtCredits(tx: Tx, customerId: string, now: Instant): Promise<void> {
  const { vendorId } = await tx.em.findOneOrFail(Customer, { id: customerId }, { fields: ['vendorId'] });
  await lockCustomerRow(tx, vendorId, customerId, 'no key update');
  // what falls after this asks for another look
  await tx.em.nativeDelete(Agenda, { kind: CREDIT_LOOK, subject: customerId });
  await tellBalance(tx, { id: customerId, vendorId, now }, await alertsOf(tx, [customerId]));
}
