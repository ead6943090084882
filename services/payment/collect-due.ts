import type { Instant } from '../../billing/calendar/instant.ts';
import type { Database } from '../../db/connect.ts';
import { mayPass } from '../../db/fault.ts';
import { dueCollections } from '../../db/sql/agenda/due-collections.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { inSavepoint } from '../../db/sql/transaction/savepoint.ts';
import type { Tx } from '../../db/transaction.ts';
import { workflowIdOf } from '../../temporal/message-kinds.ts';
import { collectPayment, PAYMENT_KINDS } from './collect.ts';

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

/** Collects what a customer on the wall clock owes without a contract: bought credits. */
export async function collectDueOfCustomer(db: Database, customerId: string): Promise<void> {
  const now = await nowOf(db, null);
  await db.transaction((tx) => collectDueOf(tx, workflowIdOf('customer', customerId), now), { by: 'timer' });
}
