import pino from 'pino';

/** Characters that are written at a time. */
const ENOUGH = 65_536;
/** What is fewer waits so long here, and as long again for its turn to be written. */
const WAIT_MS = 100;

/**
 * Where the lines of a log go: in the background, since a line for each request must not hold up the next one, and many at a time. They are
 * handed over together, because pino's destination measures all that waits whenever it is given something: line by line that cost several times
 * as much as making the line. What waits when the process ends is written before it does.
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
    if (this.#size >= ENOUGH) this.#handOver();
    else this.#timer ??= setTimeout(() => this.#handOver(), WAIT_MS).unref();
  }

  /** For what is said before the process goes. */
  flushSync(): void {
    this.#handOver();
    this.#destination.flushSync();
  }

  #handOver(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#lines.length === 0) return;
    this.#destination.write(this.#lines.join(''));
    this.#lines = [];
    this.#size = 0;
  }
}
