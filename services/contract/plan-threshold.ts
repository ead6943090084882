import type { Instant } from '../../billing/calendar/instant.ts';
import { insertThresholdLooks } from '../../db/sql/contract/insert-threshold-looks.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueue } from '../../temporal/message-kinds.ts';

/**
 * Has the invoice thresholds of contracts looked at whose payment gate has ended. The look follows in a transaction of
 * its own: what ends a gate has locked money, or writes the contract for another reason. The caller has locked the
 * chains, and writes no agenda of the contracts after it.
 */
export async function planThresholdLooks(tx: Tx, contractIds: readonly string[], at: Instant): Promise<void> {
  if (contractIds.length === 0) return;
  for (const rootId of await insertThresholdLooks(tx, contractIds, at)) if (rootId !== tx.within) enqueue(tx, 'contract', rootId);
}
