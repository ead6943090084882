import { once } from 'node:events';

/** What a command that runs for long prints its rows with. */
export interface Output {
  /** Prints a line, and waits while its reader is slower. */
  line(text: string): Promise<void>;
  /** Ctrl-C, SIGTERM, or the reader of the output has gone (`| head`). */
  stopped: AbortSignal;
}

/**
 * Runs work that ends when it is asked to, and not in the middle of a line. The signals come twice where npm or a shell
 * passes them on: each further one changes nothing.
 *
 * @param work returns its result; a call that the stop has broken off may throw
 * @returns null where the work was broken off
 */
export async function untilStopped<T>(work: (output: Output) => Promise<T>): Promise<T | null> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  const { stdout } = process;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
  stdout.on('error', end);
  stdout.on('close', end);
  try {
    return await work({ stopped: stop.signal, line: (text) => write(text, stop.signal) });
  } catch (error) {
    if (stop.signal.aborted && error instanceof Error && error.name === 'AbortError') return null;
    throw error;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
    stdout.off('error', end);
    stdout.off('close', end);
  }
}

async function write(text: string, stopped: AbortSignal): Promise<void> {
  stopped.throwIfAborted();
  if (!process.stdout.write(`${text}\n`)) await once(process.stdout, 'drain', { signal: stopped });
}
