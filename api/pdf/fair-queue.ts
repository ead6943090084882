import { Problem } from '../http/problem.ts';

interface Limits {
  /** how much is under way at once */
  atOnce: number;
  /** how many may wait, of one owner and in all */
  perOwner: number;
  inAll: number;
  longestMs: number;
}

/**
 * Work that waits for a place, the owners one after the other: who asks for a hundred things at once doesn't keep others waiting for more than one of
 * them. Whoever finds the queue full, or waits too long, is told when to come again: nothing was done.
 */
export class FairQueue {
  readonly #limits: Limits;
  /** by owner, in the order in which they come next */
  readonly #waiting = new Map<string, (() => void)[]>();
  #underWay = 0;
  #size = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    if (this.#underWay < this.#limits.atOnce) this.#underWay += 1;
    else await this.#place(owner);
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #place(owner: string): Promise<void> {
    const { perOwner, inAll, longestMs } = this.#limits;
    const own = this.#waiting.get(owner) ?? [];
    if (own.length >= perOwner) throw new Problem('rate_limited', undefined, { retryAfter: retryAfter(longestMs) });
    if (this.#size >= inAll) throw new Problem('unavailable', undefined, { retryAfter: retryAfter(longestMs) });
    return new Promise((done, fail) => {
      const start = () => {
        clearTimeout(timer);
        done();
      };
      const timer = setTimeout(() => {
        this.#leave(owner, start);
        fail(new Problem('unavailable', undefined, { retryAfter: retryAfter(longestMs) }));
      }, longestMs);
      own.push(start);
      this.#waiting.set(owner, own);
      this.#size += 1;
    });
  }

  #leave(owner: string, start: () => void): void {
    const others = (this.#waiting.get(owner) ?? []).filter((waiting) => waiting !== start);
    if (others.length === 0) this.#waiting.delete(owner);
    else this.#waiting.set(owner, others);
    this.#size -= 1;
  }

  /** The place goes to the next owner, who then stands last. */
  #next(): void {
    const next = this.#waiting.entries().next().value;
    if (next === undefined) {
      this.#underWay -= 1;
      return;
    }
    const [owner, [start, ...others]] = next;
    this.#waiting.delete(owner);
    if (others.length > 0) this.#waiting.set(owner, others);
    this.#size -= 1;
    start?.();
  }
}

const retryAfter = (milliseconds: number): number => Math.ceil(milliseconds / 1000);
