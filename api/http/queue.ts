import { Problem } from './problem.ts';

interface QueueLimits {
  /** Requests at work or waiting. */
  most: number;
  longestMs: number;
}

const LIMITS: QueueLimits = { most: 10, longestMs: 5_000 };

/** Where requests of a vendor queue that name the same thing. */
export const queueOf = (vendorId: string, name: string): string => `${vendorId} ${name}`;

/**
 * Requests about the same contract queue here before they take a connection: a hundred at once use one connection. A
 * request that finds too many before it, or waits too long, gets a 409 with `Retry-After`: nothing was done.
 */
export class RequestQueues {
  readonly #limits: QueueLimits;
  readonly #queues = new Map<string, { last: Promise<unknown>; size: number }>();

  constructor(limits: QueueLimits = LIMITS) {
    this.#limits = limits;
  }

  /** Whether a request would begin at once. */
  isFree(key: string): boolean {
    return !this.#queues.has(key);
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { last: Promise.resolve(), size: 0 };
    if (queue.size >= this.#limits.most) throw busy();
    const place = this.#after(queue.last, work);
    // a request that fails doesn't stop the next; its own caller gets the error
    queue.last = place.ended;
    queue.size += 1;
    this.#queues.set(key, queue);
    void place.ended.then(() => {
      queue.size -= 1;
      if (queue.size === 0) this.#queues.delete(key);
    });
    return place.result;
  }

  /** Begins when those before have ended; not at all when that takes too long, and its caller learns that at once. */
  #after<T>(before: Promise<unknown>, work: () => Promise<T>): { result: Promise<T>; ended: Promise<unknown> } {
    const { promise: result, resolve, reject } = Promise.withResolvers<T>();
    let hasGivenUp = false;
    const timer = setTimeout(() => {
      hasGivenUp = true;
      reject(busy());
    }, this.#limits.longestMs);
    const ended = before.then(async () => {
      clearTimeout(timer);
      if (hasGivenUp) return;
      try {
        resolve(await work());
      } catch (error) {
        reject(error);
      }
    });
    return { result, ended };
  }
}

const busy = () => new Problem('change_in_progress', undefined, { retryAfter: 1 });
