import type { Database } from '../../db/connect.ts';
import { endDueFreeze } from './activate.ts';
import { FreezeIsOver } from './freeze-over.ts';

/**
 * Makes a write again that was refused because the freeze of its customer was to end by now: that is carried out first,
 * in a transaction of its own, because it locks the customer in another way. A test clock ends a freeze itself before
 * it is ready.
 *
 * @param error what the write has thrown; any other one is thrown again
 */
export async function againAfterFreeze<T>(db: Database, error: unknown, write: () => Promise<T>): Promise<T> {
  if (!(error instanceof FreezeIsOver)) throw error;
  await endDueFreeze(db, error.customerId);
  return write();
}
