import { setImmediate as giveWay, setTimeout as pause } from 'node:timers/promises';
import { Problem } from './problem.ts';

/** Bytes; smaller bodies are parsed in no time. */
const BIG = 64 * 1024;
/**
 * How many milliseconds of parsing a vendor may use at once, and how much of each millisecond that passes it gets back.
 */
const [AT_ONCE_MS, SHARE] = [1_000, 0.25];
/**
 * By how much a millisecond counts that was spent on a refused body: nobody needs to send such bodies again and again.
 */
const REFUSED_COUNTS = 10;
const LIMITS = { waiting: 100, longestMs: 5_000 };

interface Account {
  last: Promise<unknown>;
  waiting: number;
  /** milliseconds that its bodies have taken so far */
  taken: number;
  /** milliseconds of parsing left, as of `at` */
  left: number;
  at: number;
}

const newAccount = (): Account => ({ last: Promise.resolve(), waiting: 0, taken: 0, left: AT_ONCE_MS, at: performance.now() });

/** Reads a body in steps: each `yield` is a place where other requests may go first. */
export type BodyReading<T> = Generator<void, T>;

/**
 * Reads big bodies of one vendor one after the other: for a second at once, and for a quarter of the time in the long
 * run. A vendor that sends them without end delays only its own requests. Of all vendors' big bodies one step is
 * carried out at a time, after whatever has arrived meanwhile.
 */
export class BigBodies {
  readonly #accounts = new Map<string, Account>();
  readonly #limits: typeof LIMITS;
  #lastStep: Promise<unknown> = Promise.resolve();

  constructor(limits = LIMITS) {
    this.#limits = limits;
  }

  /**
   * @throws Problem `rate_limited` when too many of the vendor's bodies wait already, or one waits too long; what
   * `read` throws
   */
  async inTurn<T>(vendorId: string, bytes: number, read: () => BodyReading<T>): Promise<T> {
    if (bytes < BIG) return inOneGo(read());
    const account = this.#accounts.get(vendorId) ?? newAccount();
    if (account.waiting >= this.#limits.waiting) throw tooMany();
    this.#accounts.set(vendorId, account);
    account.waiting += 1;
    const until = performance.now() + this.#limits.longestMs;
    const done = account.last.then(() => this.#read(account, until, read()));
    // one that fails doesn't stop the next; its own caller gets the error
    account.last = done.catch(() => undefined).then(() => this.#close(vendorId, account));
    return done;
  }

  async #read<T>(account: Account, until: number, reading: BodyReading<T>): Promise<T> {
    refill(account);
    const ready = performance.now() + Math.max(0, -account.left / SHARE);
    if (ready > until) throw tooMany();
    if (account.left < 0) await pause(-account.left / SHARE);
    const before = account.taken;
    try {
      for (;;) {
        const step = await this.#step(account, reading);
        if (step.done === true) return step.value;
      }
    } catch (error) {
      account.left -= (REFUSED_COUNTS - 1) * (account.taken - before);
      throw error;
    }
  }

  #step<T>(account: Account, reading: BodyReading<T>): Promise<IteratorResult<void, T>> {
    const step = this.#lastStep.then(() => giveWay()).then(() => charged(account, () => reading.next()));
    this.#lastStep = step.catch(() => undefined);
    return step;
  }

  /** Forgets a vendor that has all of its time again. */
  #close(vendorId: string, account: Account): void {
    account.waiting -= 1;
    if (account.waiting > 0) return;
    const full = (AT_ONCE_MS - account.left) / SHARE;
    void pause(full, undefined, { ref: false }).then(() => {
      refill(account);
      if (account.waiting === 0 && account.left >= AT_ONCE_MS) this.#accounts.delete(vendorId);
    });
  }

  /** Vendors that have sent big bodies lately. */
  get size(): number {
    return this.#accounts.size;
  }
}

const tooMany = () => new Problem('rate_limited', 'Too many big bodies at a time; nothing was done.', { retryAfter: 2 });

function charged<T>(account: Account, work: () => T): T {
  const began = performance.now();
  try {
    return work();
  } finally {
    const ms = performance.now() - began;
    refill(account);
    account.left -= ms;
    account.taken += ms;
  }
}

function inOneGo<T>(reading: BodyReading<T>): T {
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
  }
}

function refill(account: Account): void {
  const now = performance.now();
  account.left = Math.min(AT_ONCE_MS, account.left + SHARE * (now - account.at));
  account.at = now;
}
