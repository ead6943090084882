import type { Tx } from '../../db/connect.ts';
import { lockUnwatched, noteWatched } from '../../db/sql/customer/note-watched.ts';

/**
 * Ends the watching of customers that have nothing to watch any more, because their last contract with an invoice
 * threshold has ended: their usage is written as everybody's again. A contract that was signed while they
 * were looked at is seen once they are locked. Waits for nobody: one that another transaction has locked is looked at
 * with later usage.
 */
export async function unwatch(tx: Tx, customerIds: readonly string[]): Promise<void> {
  for (const id of await lockUnwatched(tx, customerIds)) await noteWatched(tx, id);
}
