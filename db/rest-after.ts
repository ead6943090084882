import { setTimeout as pause } from 'node:timers/promises';

const LONGEST_REST_MS = 250;

/**
 * Does one of many transactions, and rests if more of them follow: so, however much has to be done for one contract or
 * clock, at least half of the time is left for others.
 *
 * @param rest how long it rests, as a multiple of the time the transaction took; at most 250 ms for each multiple
 */
export async function restAfter<T>(work: () => Promise<T>, goesOn: (result: T) => boolean, rest = 1): Promise<T> {
  const began = performance.now();
  const result = await work();
  if (goesOn(result)) await pause(rest * Math.min(LONGEST_REST_MS, performance.now() - began));
  return result;
}
