import type { Instant } from '../../billing/calendar/instant.ts';
import type { CancelRequest } from '../../billing/contract/change/cancel.ts';
import { creditOfOutcomes } from '../../billing/contract/estimate/cancel-estimate.ts';
import { cancellationAt, cycleEnd } from '../../billing/contract/period/time.ts';
import type { Contract, Outcome } from '../../billing/contract/types.ts';
import { dec } from '../../billing/money/decimal.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Asker } from '../../db/audited-call.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { contractsByIds } from '../../db/sql/contract/by-ids.ts';
import { readPauses } from '../../db/sql/customer/read-pauses.ts';
import { cancelContract } from '../contract/cancel.ts';
import type { ContractCall } from '../contract/decide.ts';

/** What a page has shown of a cancellation. */
export interface CancelShown {
  /** when the contract ends; null: at once */
  until: Instant | null;
  /** what is given back: time that passes makes it less, and a new period would make it more */
  givenBack: string;
}

/** Whether a contract can end with its cycle: one that hasn't begun ends at once, and some cycles have no end. */
export const endsWithCycle = async (db: Queryable, contract: Contract): Promise<boolean> =>
  contract.status === 'active' && cycleEnd(contract, await readPauses(db, contract.customerId)) !== null;

/**
 * Cancels a contract as the page has shown it.
 *
 * @throws Refusal `estimate_outdated` where it would end at another instant, or more would be given back
 */
export async function cancelAsShown(
  db: Database,
  asker: Asker,
  call: ContractCall,
  request: CancelRequest,
  shown: CancelShown,
): Promise<void> {
  await db.transaction(async (tx) => {
    await cancelContract(tx, call, request, (outcome) => requireAtMost(outcome, shown.givenBack));
    if (shown.until === null) return;
    const [contract] = await contractsByIds(tx, [call.contractId]);
    const pauses = contract === undefined ? [] : await readPauses(tx, contract.customerId);
    const at = contract === undefined ? null : cancellationAt(contract, pauses);
    if (at !== shown.until) throw new Refusal('estimate_outdated', 'The contract would end at another instant than was shown.');
  }, asker);
}

function requireAtMost(outcome: Outcome, atMost: string): void {
  if (creditOfOutcomes([outcome]).gt(dec(atMost))) throw new Refusal('estimate_outdated', `More than ${atMost} would be given back.`);
}

/**
 * Takes back a contract that awaits its payment.
 *
 * @throws Refusal `contract_state` where it doesn't, or was paid meanwhile: it is canceled instead
 */
export async function takeBackUnpaid(db: Database, asker: Asker, call: ContractCall): Promise<void> {
  const request: CancelRequest = { when: { type: 'now' }, credit: false, notes: null };
  const refuse = (): never => {
    throw new Refusal('contract_state', 'The contract awaits no payment; cancel it instead.');
  };
  await db.transaction((tx) => cancelContract(tx, call, request, refuse), asker);
}
