import pino from 'pino';

/** Characters written at a time. */
const ENOUGH = 65_536;
/** Milliseconds that fewer characters wait here, and as long again in pino's destination. */
const WAIT_MS = 100;

/**
 * Writes a log in the background, since the line of a request must not delay the next request. Many lines go to pino's
 * destination together: it measures all that waits whenever it gets something, and line by line that cost several times
 * as much as making the line. The rest is written before the process ends.
 */
export class LogOutput {
  readonly #destination: ReturnType<typeof pino.destination>;
  #lines: string[] = [];
  #size = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(fd: number) {
    this.#destination = pino.destination({ dest: fd, sync: false, minLength: ENOUGH, maxWrite: 2 * ENOUGH, periodicFlush: WAIT_MS });
    process.once('exit', () => this.flushSync());
  }

  write(line: string): void {
    this.#lines.push(line);
    this.#size += line.length;
    if (this.#size >= ENOUGH) this.#pass();
    else this.#timer ??= setTimeout(() => this.#pass(), WAIT_MS).unref();
  }

  /** For the last lines before the process ends. */
  flushSync(): void {
    this.#pass();
    this.#destination.flushSync();
  }

  #pass(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#lines.length === 0) return;
    this.#destination.write(this.#lines.join(''));
    this.#lines = [];
    this.#size = 0;
  }
}
