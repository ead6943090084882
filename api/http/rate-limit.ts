import type Koa from 'koa';
import { Problem } from './problem.ts';

const WINDOW_MS = 60_000;

interface Window {
  ends: number;
  used: number;
}

/** Requests per key in windows of a minute, counted by this process. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #windows = new Map<string, Window>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Counts one request, sets the RateLimit headers, throws `rate_limited` when the window is used up. */
  take(keyId: string, context: Koa.Context, now = Date.now()): void {
    const { left, reset } = this.count(keyId, now);
    context.set('ratelimit-limit', String(this.#perMinute));
    context.set('ratelimit-remaining', String(Math.max(0, left)));
    context.set('ratelimit-reset', String(reset));
    if (left < 0) throw new Problem('rate_limited', undefined, { retryAfter: reset });
  }

  /** Counts one request; gives how many are left, negative for one too many, and the seconds until the next window. */
  count(keyId: string, now = Date.now()): { left: number; reset: number } {
    const window = this.#windowOf(keyId, now);
    window.used += 1;
    return { left: this.#perMinute - window.used, reset: Math.max(1, Math.ceil((window.ends - now) / 1000)) };
  }

  /** Takes the headers back: whose key is over is told nothing of it. */
  untell(context: Koa.Context): void {
    for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) context.remove(name);
  }

  #windowOf(keyId: string, now: number): Window {
    const known = this.#windows.get(keyId);
    if (known !== undefined && known.ends > now) return known;
    if (this.#windows.size > 10_000) this.#forgetPast(now);
    const window = { ends: now + WINDOW_MS, used: 0 };
    this.#windows.set(keyId, window);
    return window;
  }

  #forgetPast(now: number): void {
    for (const [key, window] of this.#windows) if (window.ends <= now) this.#windows.delete(key);
  }
}
