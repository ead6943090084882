import { refuse } from '../../refusal.ts';
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
