import { setTimeout as pause } from 'node:timers/promises';

/**
 * Runs `check` again and again until it neither throws nor fails an expectation, and gives back what it gave. Fails
 * with its last failure.
 */
export async function eventually<T>(check: () => T | Promise<T>, { timeout = 150_000, every = 50 } = {}): Promise<T> {
  const deadline = Date.now() + timeout;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await pause(every);
  }
}
