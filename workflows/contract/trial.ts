import type { Concern } from './concern.ts';

/**
 * Waits for the end of the free trial. Then the trial's usage period ends, cycle 1 starts there, and its charges are
 * invoiced; or the contract ends, where it says so for a customer without a payment method.
 */
export const trial: Concern = {
  words: ({ kind }) =>
    kind === 'trial_cancellation'
      ? 'the contract is canceled unless its customer has a payment method'
      : 'the free trial ends, period 1 starts',
  activity: 'endTrial',
};
