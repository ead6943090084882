import { startingWithin, timeToStart } from './start-limit.ts';

/** No place became free in time; the transaction was not begun. */
export class TooManyTransactions extends Error {
  constructor() {
    super('too many transactions wait for a connection');
    this.name = 'TooManyTransactions';
  }
}

/**
 * Transactions that may wait for locks share fewer connections than the pool has, so that reads and usage always find
 * one. One that finds no place within the time fails before it has begun.
 */
export class Lockers {
  readonly #longestMs: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(places: number, longestMs: number) {
    this.#free = places;
    this.#longestMs = longestMs;
  }

  /** Whether one waits for its place. */
  get isCrowded(): boolean {
    return this.#waiting.size > 0;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#take();
    try {
      return await work();
    } finally {
      this.#giveBack();
    }
  }

  #take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const place = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      this.#waiting.delete(place);
      reject(new TooManyTransactions());
    }, timeToStart(this.#longestMs));
    this.#waiting.add(place);
    return promise;
  }

  /** A free place goes to the transaction that has waited longest. */
  #giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

/**
 * Lockers of which one owner may take only a part, so that the others find a place however much of it waits. Waiting
 * for the part and for the whole together takes no longer than waiting for one.
 */
export class OwnersLockers {
  readonly #all: Lockers;
  readonly #begin: () => Lockers;
  readonly #of = new Map<string, { lockers: Lockers; asked: number }>();
  readonly #longestMs: number;

  constructor({ places, most }: { places: number; most: number }, longestMs: number) {
    this.#all = new Lockers(places, longestMs);
    this.#begin = () => new Lockers(most, longestMs);
    this.#longestMs = longestMs;
  }

  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const own = this.#of.get(owner) ?? { lockers: this.#begin(), asked: 0 };
    this.#of.set(owner, own);
    own.asked += 1;
    try {
      return await startingWithin(this.#longestMs, () => own.lockers.run(() => this.#all.run(work)));
    } finally {
      own.asked -= 1;
      if (own.asked === 0) this.#of.delete(owner);
    }
  }
}
