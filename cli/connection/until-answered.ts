import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../local-stack/log.ts';
import { passesByItself } from './api.ts';

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 5_000;

interface Patience {
  /** ends the waiting, too */
  stopped: AbortSignal;
  progress: Log;
}

/**
 * Calls again until there is an answer, however long the server is away. It prints once that the server is away, and
 * once that it is back. An error that waiting can't change (a revoked key) is thrown.
 */
export async function untilAnswered<T>(call: () => Promise<T>, { stopped, progress }: Patience): Promise<T> {
  let wait = FIRST_PAUSE;
  for (;;) {
    try {
      const result = await call();
      if (wait > FIRST_PAUSE) progress('The server answers again.');
      return result;
    } catch (error) {
      stopped.throwIfAborted();
      if (!passesByItself(error)) throw error;
      if (wait === FIRST_PAUSE) progress(`${error.message} Trying again until it answers.`);
    }
    await pause(wait, undefined, { signal: stopped });
    wait = Math.min(2 * wait, LONGEST_PAUSE);
  }
}
