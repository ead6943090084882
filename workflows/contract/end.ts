import type { Concern } from './concern.ts';

/**
 * Waits for a cancellation that was put off, or for the expiration. Then the contract is `canceled`; its usage closes
 * by its policy.
 */
export const contractEnd: Concern = {
  words: ({ kind }) => (kind === 'expiration' ? 'the contract expires' : 'the cancellation takes effect'),
  activity: 'endContract',
};
