import type { Concern } from './concern.ts';

/**
 * Waits for the instant of a change that was put off. Then the scheduled contract becomes the live one and this one is
 * `moved`.
 */
export const scheduledChange: Concern = {
  words: ({ detail }) => `the change to ${detail.successorId ?? 'the next contract'} takes effect`,
  activity: 'applyScheduledChange',
};
