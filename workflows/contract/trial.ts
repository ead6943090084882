import type { Concern } from './concern.ts';

/**
 * Waits for the end of the free trial. Then the trial's usage period ends, cycle 1 starts there, and its charges are
 * invoiced.
 */
export const trial: Concern = { words: () => 'the free trial ends, period 1 starts', activity: 'endTrial' };
