import type { Concern } from './concern.ts';

/**
 * Waits until a usage period closes by its policy, at its end or some time after it. Then its usage is summed, priced
 * and invoiced.
 */
export const usageClosing: Concern = {
  words: ({ detail }) => (detail.idx === 0 ? 'usage of the free trial closes' : `usage of period ${detail.idx} closes`),
  activity: 'closeUsagePeriod',
};
