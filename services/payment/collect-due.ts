import type { Instant } from '../../billing/calendar/instant.ts';
import { mayPass } from '../../db/fault.ts';
import { dueCollections } from '../../db/sql/agenda/due-collections.ts';
import { inSavepoint } from '../../db/sql/transaction/savepoint.ts';
import type { Tx } from '../../db/transaction.ts';
import { collectPayment, PAYMENT_KINDS } from './collect.ts';

/** So many collections in one transaction; the agenda has the rest. */
const AT_ONCE = 20;

/**
 * Collections of a chain's invoices that are due, each by itself: one that fails doesn't stop the rest, and stays on
 * the agenda.
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
