import { setImmediate as nextRound } from 'node:timers/promises';

/** So many steps of a long computation are done before other requests of the process are let in. */
const STEPS_AT_ONCE = 50;

/** Runs a computation that yields after each of its steps to its end, giving way to other work now and then. */
export async function inRounds<T>(computation: Generator<undefined, T>): Promise<T> {
  for (let steps = 1; ; steps += 1) {
    const { done, value } = computation.next();
    if (done) return value;
    if (steps % STEPS_AT_ONCE === 0) await nextRound();
  }
}
