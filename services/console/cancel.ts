import type { Instant } from '../../billing/calendar/instant.ts';
import type { CancelRequest } from '../../billing/contract/change/cancel.ts';
import { whenAt } from '../../billing/contract/period/time.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Asker } from '../../db/audited-call.ts';
import type { Database } from '../../db/connect.ts';
import { contractsByIds } from '../../db/sql/contract/by-ids.ts';
import { readPauses } from '../../db/sql/customer/read-pauses.ts';
import { cancelContract } from '../contract/cancel.ts';
import type { ContractCall } from '../contract/decide.ts';

/**
 * Cancels a contract as the page has shown it.
 *
 * @param shown when it ends, as the page has shown; null: at once
 * @throws Refusal `estimate_outdated` where it would end at another instant
 */
export async function cancelAsShown(
  db: Database,
  asker: Asker,
  call: ContractCall,
  request: CancelRequest,
  shown: Instant | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    await cancelContract(tx, call, request);
    if (shown === null) return;
    const [contract] = await contractsByIds(tx, [call.contractId]);
    const pauses = contract === undefined ? [] : await readPauses(tx, contract.customerId);
    const at = contract?.cancellation ? whenAt(contract, contract.cancellation.when, pauses) : null;
    if (at !== shown) throw new Refusal('estimate_outdated', 'The contract would end at another instant than was shown.');
  }, asker);
}
