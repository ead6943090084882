import { Problem } from './problem.ts';

/** Smaller ones are read in no time. */
const BIG = 64 * 1024;
/** Of a caller's time with big bodies at least so many parts of four are everybody else's. */
const OTHERS_SHARE = 3;
const MOST_WAITING = 10;

/**
 * Big bodies of one vendor are read one after the other, with pauses three times as long as the reading took: whoever sends them without end holds
 * this process a quarter of the time at most, and delays only its own requests.
 */
export class BigBodies {
  readonly #queues = new Map<string, { last: Promise<void>; size: number }>();

  /** @throws Problem `rate_limited` when too many of the vendor's wait already; whatever `read` throws */
  async inTurn<T>(vendorId: string, bytes: number, read: () => T): Promise<T> {
    if (bytes < BIG) return read();
    const queue = this.#queues.get(vendorId) ?? { last: Promise.resolve(), size: 0 };
    if (queue.size >= MOST_WAITING)
      throw new Problem('rate_limited', 'Too many big bodies at a time; nothing was done.', { retryAfter: 1 });
    const { promise: over, resolve: pass } = Promise.withResolvers<void>();
    const before = queue.last;
    queue.last = over;
    queue.size += 1;
    this.#queues.set(vendorId, queue);
    await before;
    const began = performance.now();
    try {
      return read();
    } finally {
      const passOn = () => {
        queue.size -= 1;
        if (queue.size === 0) this.#queues.delete(vendorId);
        pass();
      };
      setTimeout(passOn, OTHERS_SHARE * (performance.now() - began)).unref();
    }
  }
}
