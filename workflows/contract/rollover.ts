import type { Concern } from './concern.ts';

/**
 * Waits for the boundary of a cycle, or for the next month, quarter or year of a price with that charge trigger. Then
 * the next period starts and its charges are invoiced, together with the usage that closes there.
 */
export const rollover: Concern = {
  words: ({ kind, detail }) => (kind === 'boundary' ? `period ${detail.idx} starts` : `a charge by the ${detail.trigger} is due`),
  activity: 'rollOverCycle',
};
