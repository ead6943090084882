import { setImmediate as nextRound } from 'node:timers/promises';

/** How many steps of a long computation are done before other requests of the process get their turn. */
const STEPS_AT_ONCE = 50;

/** The round that was begun last, of whichever computation: between two rounds everything else is let in. */
let lastRound: Promise<unknown> = Promise.resolve();

/** A computation has more steps than its caller waits for. */
export class TooManySteps extends Error {}

/**
 * Runs a computation that yields after each of its steps to its end. Beside it everything else goes on, however many
 * such computations there are: one round of one of them is done at a time.
 *
 * @throws TooManySteps after `mostSteps` without an end
 */
export async function inRounds<T>(computation: Generator<undefined, T>, mostSteps = Number.POSITIVE_INFINITY): Promise<T> {
  for (let steps = 1; ; steps += 1) {
    const { done, value } = computation.next();
    if (done) return value;
    if (steps >= mostSteps) throw new TooManySteps(`a computation has more than ${mostSteps} steps`);
    if (steps % STEPS_AT_ONCE !== 0) continue;
    lastRound = lastRound.then(() => nextRound());
    await lastRound;
  }
}
