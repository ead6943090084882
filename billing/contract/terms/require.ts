import { Refusal, refuse } from '../../refusal.ts';
import { isFrozen, isLive } from '../period/time.ts';
import type { Contract, ContractSnapshot } from '../types.ts';

/**
 * Refuses every request while the customer is frozen.
 *
 * @throws Refusal `customer_frozen`
 */
export function requireActiveCustomer({ customer }: Pick<ContractSnapshot, 'customer'>): void {
  if (isFrozen(customer.pauses)) refuse('customer_frozen', 'the customer is frozen; activate it first');
}

/**
 * Refuses what has ended, and the scheduled successor of a change: requests go to the contract that the change is
 * pending on.
 *
 * @throws Refusal `contract_ended`, `contract_not_active`
 */
export function requireLive(contract: Contract): void {
  if (contract.isSuccessor) refuse('contract_not_active', `the contract waits for the change of ${contract.predecessorId}; call that one`);
  if (isLive(contract)) return;
  const next = contract.successorId === null ? '' : `; it goes on as ${contract.successorId}`;
  refuse('contract_ended', `the contract has ended${next}`);
}

/**
 * Refuses a contract that hasn't been activated or has ended; one in its free trial is active.
 *
 * @throws Refusal `contract_ended`, `contract_not_active`
 */
export function requireActive(contract: Contract): void {
  requireLive(contract);
  if (contract.status !== 'active') refuse('contract_not_active', `the contract is ${contract.status}, not active yet`);
}

/** What a call may be about all the same. */
export interface CallableThough {
  /** also a contract that is `moved` or `canceled`: its last usage may be open */
  ended?: boolean;
  parked?: boolean;
}

/**
 * Refuses a contract that comes to be only once it is paid: only its cancellation can be asked for.
 *
 * @throws Refusal `awaiting_payment`
 */
export function requireUngated({ id, gate }: Pick<Contract, 'id' | 'gate'>): void {
  if (gate?.contractId === id) throw new Refusal('awaiting_payment', 'The contract waits for its payment; cancel it to take it back.');
}

/**
 * Refuses what nobody may decide about: a contract that waits for a change, has ended or is parked.
 *
 * @throws Refusal `contract_state`, `contract_not_live`, `awaiting_payment`
 */
export function requireCallable({ contract }: Pick<ContractSnapshot, 'contract'>, allowed: CallableThough = {}): void {
  const { status, isSuccessor, predecessorId, successorId, parkedReason } = contract;
  requireUngated(contract);
  if (isSuccessor && status === 'scheduled') {
    throw new Refusal('contract_state', `The contract waits for the change of ${predecessorId}; call that one.`);
  }
  const hasEnded = status === 'moved' || status === 'canceled';
  if (hasEnded && allowed.ended !== true) {
    const goesOnAs = status === 'moved' && successorId !== null ? `It goes on as ${successorId}; call that one.` : null;
    throw new Refusal('contract_not_live', goesOnAs ?? `It is ${status}; sign a new one.`);
  }
  if (parkedReason !== null && allowed.parked !== true) throw new Refusal('contract_state', `The contract is parked: ${parkedReason}`);
}
