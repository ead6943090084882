import { setTimeout as pause } from 'node:timers/promises';

/** Waits for so many milliseconds, or until the signal comes. */
export async function rest(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
