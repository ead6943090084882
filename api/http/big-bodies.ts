import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from './problem.ts';

/** Smaller ones are read in no time. */
const BIG = 64 * 1024;
/** Milliseconds of reading that a vendor has at once, and how much of each millisecond comes back: no more than that for long. */
const [AT_ONCE_MS, SHARE] = [1_000, 0.25];
const LIMITS = { waiting: 100, longestMs: 5_000 };

interface Account {
  last: Promise<unknown>;
  waiting: number;
  /** milliseconds of reading left, as of `at` */
  left: number;
  at: number;
}

/**
 * Big bodies of one vendor are read one after the other, and no more of them than takes a second at once and a quarter of the time for long: whoever
 * sends them without end delays only its own requests.
 */
export class BigBodies {
  readonly #accounts = new Map<string, Account>();
  readonly #limits: typeof LIMITS;

  constructor(limits = LIMITS) {
    this.#limits = limits;
  }

  /** @throws Problem `rate_limited` when too many of the vendor's wait already, or one waits too long; whatever `read` throws */
  async inTurn<T>(vendorId: string, bytes: number, read: () => T): Promise<T> {
    if (bytes < BIG) return read();
    const account = this.#accounts.get(vendorId) ?? { last: Promise.resolve(), waiting: 0, left: AT_ONCE_MS, at: performance.now() };
    if (account.waiting >= this.#limits.waiting) throw tooMany();
    this.#accounts.set(vendorId, account);
    account.waiting += 1;
    const until = performance.now() + this.#limits.longestMs;
    const answer = account.last.then(() => this.#read(account, until, read));
    // one that fails doesn't hold up the next; its own caller gets the error
    account.last = answer.catch(() => undefined).then(() => this.#close(vendorId, account));
    return answer;
  }

  async #read<T>(account: Account, until: number, read: () => T): Promise<T> {
    refill(account);
    const ready = performance.now() + Math.max(0, -account.left / SHARE);
    if (ready > until) throw tooMany();
    if (account.left < 0) await pause(-account.left / SHARE);
    const began = performance.now();
    try {
      return read();
    } finally {
      refill(account);
      account.left -= performance.now() - began;
    }
  }

  /** Whoever has all of its time again needs no account. */
  #close(vendorId: string, account: Account): void {
    account.waiting -= 1;
    if (account.waiting > 0) return;
    const full = (AT_ONCE_MS - account.left) / SHARE;
    void pause(full, undefined, { ref: false }).then(() => {
      refill(account);
      if (account.waiting === 0 && account.left >= AT_ONCE_MS) this.#accounts.delete(vendorId);
    });
  }

  /** How many vendors have sent big bodies lately. */
  get size(): number {
    return this.#accounts.size;
  }
}

const tooMany = () => new Problem('rate_limited', 'Too many big bodies at a time; nothing was done.', { retryAfter: 2 });

function refill(account: Account): void {
  const now = performance.now();
  account.left = Math.min(AT_ONCE_MS, account.left + SHARE * (now - account.at));
  account.at = now;
}
