import type { Instant } from '../../billing/calendar/instant.ts';
import { hasThreshold } from '../../billing/contract/charge/threshold.ts';
import { insertThresholdLooks } from '../../db/sql/contract/insert-threshold-looks.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import type { Decided } from './write.ts';

/**
 * Has the invoice thresholds of contracts looked at whose payment gate has ended. The look follows in a transaction of
 * its own: what ends a gate has locked money, or writes the contract for another reason. The caller has locked the
 * chains. The row stays until a look has been made, whatever else is written of the contract meanwhile; a freeze that
 * comes first looks with its end, a resumption of a parked contract itself.
 */
export async function planThresholdLooks(tx: Tx, contractIds: readonly string[], at: Instant): Promise<void> {
  if (contractIds.length === 0) return;
  for (const rootId of await insertThresholdLooks(tx, contractIds, at)) if (rootId !== tx.within) enqueue(tx, 'contract', rootId);
}

/**
 * What a gate has held back is looked at after the write that has ended the gate, in the contract and in the one that
 * follows it, unless a freeze holds it back now.
 *
 * @param decided of contracts that had a gate
 */
export async function planLooksAfter(tx: Tx, decided: readonly Decided[]): Promise<void> {
  for (const { before, outcome, at } of decided) {
    const { contract, customer } = outcome.snapshot;
    if (outcome.effects.contracts.length === 0 || customer.status === 'inactive') continue;
    const both = [before.contract, ...(contract.id === before.contract.id ? [] : [contract])];
    await planThresholdLooks(
      tx,
      both.filter(hasThreshold).map(({ id }) => id),
      at,
    );
  }
}
