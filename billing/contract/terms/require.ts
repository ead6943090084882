import { refuse } from '../../refusal.ts';
import { isFrozen, isLive } from '../period/time.ts';
import type { Contract, ContractSnapshot } from '../types.ts';

/**
 * Lets nothing pass while the customer is frozen.
 *
 * @throws Refusal `customer_frozen`
 */
export function requireActiveCustomer({ customer }: Pick<ContractSnapshot, 'customer'>): void {
  if (isFrozen(customer.pauses)) refuse('customer_frozen', 'the customer is frozen; activate it first');
}

/**
 * The scheduled successor of a change is not reached by calls of its own: they go to the contract that carries the change.
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
 * Lets only a contract pass that has been activated and has not ended; one in its free trial is active.
 *
 * @throws Refusal `contract_ended`, `contract_not_active`
 */
export function requireActive(contract: Contract): void {
  requireLive(contract);
  if (contract.status !== 'active') refuse('contract_not_active', `the contract is ${contract.status}, not active yet`);
}
