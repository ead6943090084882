import { setTimeout as pause } from 'node:timers/promises';

/**
 * Runs `check` again and again until it neither throws nor fails an expectation, and gives back what it gave. Fails
 * with its last failure.
 *
 * @param every milliseconds between two checks
 * @param upTo these grow by a quarter each time up to so many: looking costs servers that other tests use, too
 */
export async function eventually<T>(check: () => T | Promise<T>, { timeout = 150_000, every = 50, upTo = 0 } = {}): Promise<T> {
  const deadline = Date.now() + timeout;
  for (let wait = every; ; wait = Math.max(every, Math.min(upTo, wait * 1.25))) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await pause(wait);
  }
}
