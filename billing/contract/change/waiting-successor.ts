import { contractMachine } from '../../lifecycle/contract.ts';
import { initialState } from '../../lifecycle/machine.ts';
import type { Contract } from '../types.ts';

/** The contract that a change makes, as it stands by while the change waits for its payment. */
export const waitingSuccessor = (fresh: Contract): Contract => ({
  ...fresh,
  status: initialState(contractMachine, 'change'),
  isSuccessor: true,
  began: null,
  start: null,
  currentIdx: null,
});
