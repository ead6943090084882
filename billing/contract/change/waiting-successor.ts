import { contractMachine } from '../../lifecycle/contract.ts';
import { initialState } from '../../lifecycle/machine.ts';
import type { Contract } from '../types.ts';

/** The contract that a change makes, in the state in which it waits for the payment of the change. */
export const waitingSuccessor = (fresh: Contract): Contract => ({
  ...fresh,
  status: initialState(contractMachine, 'change'),
  isSuccessor: true,
  began: null,
  start: null,
  currentIdx: null,
});
