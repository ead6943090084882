import type { Instant } from '../../billing/calendar/instant.ts';
import { mayPass } from '../../db/fault.ts';
import { dueCollections } from '../../db/sql/agenda/due-collections.ts';
import { inSavepoint } from '../../db/sql/transaction/savepoint.ts';
import type { Tx } from '../../db/transaction.ts';
import { collectPayment, PAYMENT_KINDS } from './collect.ts';

/** The most collections in one transaction; the rest stays on the agenda. */
const AT_ONCE = 20;

/**
 * Collects the invoices of a chain that are due, one by one: one that fails doesn't stop the rest, and stays on the
 * agenda.
 */
export async function collectDueOfChain(tx: Tx, chainId: string, now: Instant): Promise<void> {
  for (const row of await dueCollections(tx, chainId, PAYMENT_KINDS, now, AT_ONCE)) {
    try {
      await inSavepoint(tx, () => collectPayment(tx, row, now));
    } catch (error) {
      if (mayPass(error)) throw error;
    }
  }
}
