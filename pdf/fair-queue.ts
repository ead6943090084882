import { PrintQueueFull } from './full.ts';

interface Limits {
  /** Tasks that run at the same time. */
  atOnce: number;
  /** Tasks of one owner that may wait. */
  perOwner: number;
  /** Tasks of all owners that may wait. */
  inAll: number;
  longestMs: number;
  /** How long a place rests after a task, as a multiple of the time the task took; 0 when left out. */
  rest?: number;
}

const LONGEST_REST_MS = 250;

/**
 * A queue that serves the owners in turn, so that the hundred tasks of one owner delay another owner's task by one task
 * only. A task that finds the queue full, or waits too long, fails with the time to retry after; it never began.
 */
export class FairQueue {
  readonly #limits: Limits;
  /** Waiting tasks by owner; the owner that is served next is the first key. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #running = 0;
  #waitingCount = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.atOnce) this.#running += 1;
    else await this.#wait(owner);
    const began = performance.now();
    try {
      return await work();
    } finally {
      this.#rest(performance.now() - began);
    }
  }

  /** The task's caller doesn't wait for the rest, only the next task does. */
  #rest(tookMs: number): void {
    const { rest = 0 } = this.#limits;
    if (rest === 0) this.#startNext();
    else setTimeout(() => this.#startNext(), Math.min(LONGEST_REST_MS, tookMs * rest)).unref();
  }

  #wait(owner: string): Promise<void> {
    const { perOwner, inAll, longestMs } = this.#limits;
    const own = this.#waiting.get(owner) ?? [];
    if (own.length >= perOwner) throw new PrintQueueFull('owner_full', retryAfter(longestMs));
    if (this.#waitingCount >= inAll) throw new PrintQueueFull('all_full', retryAfter(longestMs));
    return new Promise((done, fail) => {
      const start = () => {
        clearTimeout(timer);
        done();
      };
      const timer = setTimeout(() => {
        this.#leave(owner, start);
        fail(new PrintQueueFull('all_full', retryAfter(longestMs)));
      }, longestMs);
      own.push(start);
      this.#waiting.set(owner, own);
      this.#waitingCount += 1;
    });
  }

  #leave(owner: string, start: () => void): void {
    const others = (this.#waiting.get(owner) ?? []).filter((waiting) => waiting !== start);
    if (others.length === 0) this.#waiting.delete(owner);
    else this.#waiting.set(owner, others);
    this.#waitingCount -= 1;
  }

  /** Starts a task of the next owner, who then moves to the end of the line. */
  #startNext(): void {
    const next = this.#waiting.entries().next().value;
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    const [owner, [start, ...others]] = next;
    this.#waiting.delete(owner);
    if (others.length > 0) this.#waiting.set(owner, others);
    this.#waitingCount -= 1;
    start?.();
  }
}

const retryAfter = (milliseconds: number): number => Math.ceil(milliseconds / 1000);
