import type { Database } from '../../db/connect.ts';
import { endDueFreeze } from './activate.ts';
import { FreezeIsOver } from './freeze-over.ts';

/**
 * Makes a write; where the freeze of its customer was to end by now, that is carried out first, in a transaction of its
 * own, because it locks the customer in another way. A test clock ends a freeze itself before it is ready.
 */
export async function afterFreeze<T>(db: Database, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof FreezeIsOver)) throw error;
    await endDueFreeze(db, error.customerId);
    return write();
  }
}
