import { setTimeout as pause } from 'node:timers/promises';

export type Waiting = { timeoutMs: number; everyMs?: number; what: string };

/**
 * Polls until `probe` returns a value. When time runs out, the error names what was waited for and the last failure.
 */
export async function waitUntil<T>(probe: () => Promise<T | null>, { timeoutMs, everyMs = 50, what }: Waiting): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let reason = '';
  for (;;) {
    try {
      const found = await probe();
      if (found !== null) return found;
    } catch (error) {
      if (error instanceof GiveUp) throw error;
      reason = error instanceof Error ? `: ${error.message}` : '';
    }
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${timeoutMs / 1000} s${reason}`);
    await pause(everyMs);
  }
}

/** Thrown by a probe when waiting longer is of no use. */
export class GiveUp extends Error {}
