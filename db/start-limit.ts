import { AsyncLocalStorage } from 'node:async_hooks';

const limits = new AsyncLocalStorage<number>();

/** Milliseconds that a retry after a deadlock may wait for a connection although the time is used up. */
const AT_LEAST_MS = 500;

/**
 * Runs a transaction whose waits for a place and for a connection share this time, in milliseconds: one after the other
 * they would add up.
 */
export const startingWithin = <T>(milliseconds: number, work: () => Promise<T>): Promise<T> =>
  limits.run(performance.now() + milliseconds, work);

/**
 * How much of a wait's own limit is left to a transaction that has not begun, in milliseconds; the whole limit outside
 * of one.
 */
export function timeToStart(limit: number): number {
  const end = limits.getStore();
  return end === undefined ? limit : Math.max(AT_LEAST_MS, Math.min(limit, end - performance.now()));
}
