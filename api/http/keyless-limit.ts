import type { IncomingMessage } from 'node:http';
import type { Addresses } from './address.ts';
import { Problem } from './problem.ts';
import { RateLimit } from './rate-limit.ts';

/** Limits requests without a live key, by address, so that they slow down no others. */
export class KeylessLimit {
  readonly #limit: RateLimit | null;
  readonly #addresses: Addresses;
  readonly #detail: string;

  /** @param perMinute null: no limit */
  constructor(perMinute: number | null, addresses: Addresses) {
    this.#limit = perMinute === null ? null : new RateLimit(perMinute);
    this.#addresses = addresses;
    this.#detail = `At most ${perMinute} requests a minute without a valid key are answered to one address. Wait for the time given in Retry-After.`;
  }

  /**
   * Counts one request; gives how many are left, negative for one too many, and the seconds until there are new ones.
   */
  count(request: IncomingMessage): { left: number; reset: number } {
    return this.#limit === null ? { left: 1, reset: 0 } : this.#limit.count(this.#addresses.of(request));
  }

  /** Counts one request. Throws `rate_limited` for one too many. */
  take(request: IncomingMessage): void {
    const { left, reset } = this.count(request);
    if (left >= 0) return;
    throw new Problem('rate_limited', this.#detail, { retryAfter: reset, feedback: { address: { type: 'error', value: this.#detail } } });
  }
}
