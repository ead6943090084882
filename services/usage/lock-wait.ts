/** Milliseconds that a lock is waited for: callers are answered within five seconds. */
export const LOCK_WAIT = { longest: 4_000, shortest: 100 } as const;

/**
 * What is left of them for a request: what it has waited for its turn is taken off, work is not.
 *
 * @param since when it began to wait
 * @param turn when its turn came
 */
export const lockWaitLeft = (since: number, turn: number): number =>
  Math.max(LOCK_WAIT.shortest, Math.round(LOCK_WAIT.longest - (turn - since)));
