import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from './problem.ts';

/** Bytes; smaller bodies are parsed in no time. */
const BIG = 64 * 1024;
/** Milliseconds of parsing that a vendor has at once, and the share of each later millisecond that it has again. */
const [AT_ONCE_MS, SHARE] = [1_000, 0.25];
const LIMITS = { waiting: 100, longestMs: 5_000 };

interface Account {
  last: Promise<unknown>;
  waiting: number;
  /** milliseconds of parsing left, as of `at` */
  left: number;
  at: number;
}

/**
 * Parses big bodies of one vendor one after the other: for a second at once, and for a quarter of the time in the long
 * run. A vendor that sends them without end delays only its own requests.
 */
export class BigBodies {
  readonly #accounts = new Map<string, Account>();
  readonly #limits: typeof LIMITS;

  constructor(limits = LIMITS) {
    this.#limits = limits;
  }

  /**
   * @throws Problem `rate_limited` when too many of the vendor's bodies wait already, or one waits too long; what
   * `parse` throws
   */
  async inTurn<T>(vendorId: string, bytes: number, parse: () => T): Promise<T> {
    if (bytes < BIG) return parse();
    const account = this.#accounts.get(vendorId) ?? { last: Promise.resolve(), waiting: 0, left: AT_ONCE_MS, at: performance.now() };
    if (account.waiting >= this.#limits.waiting) throw tooMany();
    this.#accounts.set(vendorId, account);
    account.waiting += 1;
    const until = performance.now() + this.#limits.longestMs;
    const parsed = account.last.then(() => this.#parse(account, until, parse));
    // one that fails doesn't stop the next; its own caller gets the error
    account.last = parsed.catch(() => undefined).then(() => this.#close(vendorId, account));
    return parsed;
  }

  async #parse<T>(account: Account, until: number, parse: () => T): Promise<T> {
    refill(account);
    const ready = performance.now() + Math.max(0, -account.left / SHARE);
    if (ready > until) throw tooMany();
    if (account.left < 0) await pause(-account.left / SHARE);
    const began = performance.now();
    try {
      return parse();
    } finally {
      refill(account);
      account.left -= performance.now() - began;
    }
  }

  /** A vendor that has all of its time again needs no account. */
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

function refill(account: Account): void {
  const now = performance.now();
  account.left = Math.min(AT_ONCE_MS, account.left + SHARE * (now - account.at));
  account.at = now;
}
