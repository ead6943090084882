import { setTimeout as pause } from 'node:timers/promises';

const LONGEST_REST_MS = 250;

/**
 * Does one of many pieces of work, and rests as long as it took where more of them follow: however much somebody has to
 * be done for, half of the time is left for everybody else.
 */
export async function restAfter<T>(work: () => Promise<T>, goesOn: (result: T) => boolean): Promise<T> {
  const began = performance.now();
  const result = await work();
  if (goesOn(result)) await pause(Math.min(LONGEST_REST_MS, performance.now() - began));
  return result;
}
