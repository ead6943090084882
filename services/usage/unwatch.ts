import type { Tx } from '../../db/connect.ts';
import { lockUnwatched, noteWatched } from '../../db/sql/customer/note-watched.ts';

/**
 * Ends the watching of customers that have nothing to watch any more, because their last contract with an invoice
 * threshold has ended: from then on their usage is written like that of unwatched customers. A contract signed
 * meanwhile is seen once the customer is locked. It waits for nobody: a customer that another transaction has locked is
 * looked at with later usage.
 */
export async function unwatch(tx: Tx, customerIds: readonly string[]): Promise<void> {
  for (const id of await lockUnwatched(tx, customerIds)) await noteWatched(tx, id);
}
