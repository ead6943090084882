import { setTimeout as pause } from 'node:timers/promises';

const LONGEST_REST_MS = 250;

/**
 * Does one of many transactions, and rests as long as it took where more of them follow: however much has to be done
 * for one contract or clock, half of the time is left for the others.
 */
export async function restAfter<T>(work: () => Promise<T>, goesOn: (result: T) => boolean): Promise<T> {
  const began = performance.now();
  const result = await work();
  if (goesOn(result)) await pause(Math.min(LONGEST_REST_MS, performance.now() - began));
  return result;
}
