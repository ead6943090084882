import type { Instant } from '../../billing/calendar/instant.ts';
import { hasThreshold } from '../../billing/contract/charge/threshold.ts';
import { insertThresholdLooks } from '../../db/sql/contract/insert-threshold-looks.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import type { Decided } from './write.ts';

/**
 * Plans a look at the invoice thresholds of contracts whose payment gate has ended. The look is a transaction of its
 * own, since what ends a gate has locked money, or writes the contract for another reason. The caller has locked the
 * chains. The row stays on the agenda until the look is made, whatever else is written of the contract. If a freeze
 * comes first, its end looks; if the contract is parked, its resumption does.
 */
export async function planThresholdLooks(tx: Tx, contractIds: readonly string[], at: Instant): Promise<void> {
  if (contractIds.length === 0) return;
  for (const rootId of await insertThresholdLooks(tx, contractIds, at)) if (rootId !== tx.within) enqueue(tx, 'contract', rootId);
}

/**
 * Plans looks at usage that a gate has held back, after the write that ended the gate: in the contract and in its
 * successor, unless the customer is frozen now.
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
