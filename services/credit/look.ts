import type { Instant } from '../../billing/calendar/instant.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { Customer } from '../../db/entities/customer.ts';
import { lockCustomerRow } from '../../db/sql/customer/lock.ts';
import { alertsOf } from '../../db/sql/usage/list-alerts.ts';
import { lockCustomer } from '../customer/lock.ts';
import { tellBalance } from '../usage-alert/tell.ts';
import { CREDIT_LOOK } from './agenda.ts';
import { leaveToTheClock } from './leave-to-the-clock.ts';

/**
 * Looks at a customer's credits; a second run finds nothing to do. On a test clock it does so only while the clock
 * stands still; otherwise the clock does it in its order.
 */
export async function lookAtDueCredits(db: Database, customerId: string): Promise<void> {
  const customer = await db.em().findOne(Customer, { id: customerId }, { fields: ['vendorId', 'clockId'] });
  if (customer === null) return;
  const { vendorId, clockId } = customer;
  const look = async (tx: Tx): Promise<void> => {
    const { now } = await lockCustomer(tx, vendorId, customerId, { lock: 'no key update', frozen: 'allow' });
    await lookAtCredits(tx, customerId, now);
  };
  await db.transaction(look, { by: clockId === null ? 'timer' : 'clock' }).catch(leaveToTheClock);
}

/**
 * Announces the levels that a customer's credits have fallen to, now that they have become less.
 *
 * @param now on the customer's clock
 */
export async function lookAtCredits(tx: Tx, customerId: string, now: Instant): Promise<void> {
  const { vendorId } = await tx.em.findOneOrFail(Customer, { id: customerId }, { fields: ['vendorId'] });
  await lockCustomerRow(tx, vendorId, customerId, 'no key update');
  // credits that become less after this plan another look
  await tx.em.nativeDelete(Agenda, { kind: CREDIT_LOOK, subject: customerId });
  await tellBalance(tx, { id: customerId, vendorId, now }, await alertsOf(tx, [customerId]));
}
