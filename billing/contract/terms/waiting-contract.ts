import { contractMachine } from '../../lifecycle/contract.ts';
import { next } from '../../lifecycle/machine.ts';
import type { Contract } from '../types.ts';

/** A contract that was just signed, in the state in which it waits for its payment. */
export const waitingContract = (signed: Contract): Contract => ({
  ...signed,
  status: next(contractMachine, signed.status, 'first_step_committed', { isPending: true }),
  activation: null,
  trialEnd: null,
});
