import type { Instant } from '../../billing/calendar/instant.ts';
import type { Database } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { Customer } from '../../db/entities/customer.ts';
import { mayPass } from '../../db/fault.ts';
import { dueCollections } from '../../db/sql/agenda/due-collections.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { lockCustomerRow } from '../../db/sql/customer/lock.ts';
import type { OpenInvoicePlace } from '../../db/sql/payment/read-candidates-of-customer.ts';
import { inSavepoint } from '../../db/sql/transaction/savepoint.ts';
import type { Tx } from '../../db/transaction.ts';
import { workflowIdOf } from '../../temporal/message-kinds.ts';
import { payRestOfCustomer } from '../wallet/pay-rest.ts';
import { collectPayment, PAYMENT_KINDS } from './collect.ts';
import { PAYMENT_REST, planCustomer } from './plan.ts';

/** The most collections in one transaction; the rest stays on the agenda. */
const AT_ONCE = 20;

/**
 * Collects the invoices that a workflow waits for and that are due, one by one: one that fails doesn't stop the rest,
 * and stays on the agenda.
 */
export async function collectDueOf(tx: Tx, workflowId: string, now: Instant): Promise<void> {
  for (const row of await dueCollections(tx, workflowId, PAYMENT_KINDS, now, AT_ONCE)) {
    try {
      await inSavepoint(tx, () => collectPayment(tx, row, now));
    } catch (error) {
      if (mayPass(error)) throw error;
      tx.faults.push({ text: 'an invoice was not collected', about: { invoice: row.subject }, error });
    }
  }
}

/**
 * Collects what a customer on the wall clock owes without a contract: bought credits. If a customer has many open
 * invoices, credits and wallet pay some more of them, and those that were left over are planned.
 */
export async function collectDueOfCustomer(db: Database, customerId: string): Promise<void> {
  await payRestOfCustomer(db, customerId);
  const { clockId } = await db.em().findOneOrFail(Customer, { id: customerId }, { fields: ['clockId'] });
  if (clockId !== null) return;
  const now = await nowOf(db, null);
  const within = workflowIdOf('customer', customerId);
  await db.transaction((tx) => collectDueOf(tx, within, now), { by: 'timer' });
  const row = { kind: PAYMENT_REST, subject: customerId, dueAt: { $lte: now } };
  if ((await db.em().count(Agenda, row)) > 0) await db.transaction((tx) => planRest(tx, customerId, now), { by: 'timer', within });
}

/** A second run, or one after all was planned again from the beginning, finds nothing that is due. */
async function planRest(tx: Tx, customerId: string, now: Instant): Promise<void> {
  const { vendorId } = await tx.em.findOneOrFail(Customer, { id: customerId }, { fields: ['vendorId'] });
  await lockCustomerRow(tx, vendorId, customerId, 'update');
  const row = await tx.em.findOne(Agenda, { kind: PAYMENT_REST, subject: customerId, dueAt: { $lte: now } });
  if (row !== null) await planCustomer(tx, customerId, row.detail.after as OpenInvoicePlace);
}
