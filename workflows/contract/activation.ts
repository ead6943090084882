import type { Concern } from './concern.ts';

/** Waits for the activation of a scheduled contract. Then its trial starts, or period 1 with its charges. */
export const activation: Concern = { words: () => 'the contract is activated', activity: 'activate' };
