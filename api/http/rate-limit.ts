import type Koa from 'koa';
import { Problem } from './problem.ts';

const WINDOW_MS = 60_000;
/** Callers that are remembered at a time: a flood from very many addresses takes no more memory than this. */
const MOST_REMEMBERED = 10_000;

interface Window {
  readonly ends: number;
  used: number;
}

/** For a caller whose key has ended: it learns nothing about the key's limit. */
export function removeLimitHeaders(ctx: Pick<Koa.Context, 'remove'>): void {
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) ctx.remove(name);
}

/** Requests per caller in windows of a minute, counted by this process. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #most: number;
  /** The window that ends first comes first. */
  readonly #windows = new Map<string, Window>();

  constructor(perMinute: number, most = MOST_REMEMBERED) {
    this.#perMinute = perMinute;
    this.#most = most;
  }

  /** Counts one request, sets the RateLimit headers, throws `rate_limited` when the window is used up. */
  take(keyId: string, context: Pick<Koa.Context, 'set'>, now = Date.now()): void {
    const { left, reset } = this.count(keyId, now);
    context.set('ratelimit-limit', String(this.#perMinute));
    context.set('ratelimit-remaining', String(Math.max(0, left)));
    context.set('ratelimit-reset', String(reset));
    if (left < 0) throw new Problem('rate_limited', undefined, { retryAfter: reset });
  }

  /** Counts one request; gives how many are left, negative for one too many, and the seconds until the next window. */
  count(caller: string, now = Date.now()): { left: number; reset: number } {
    const window = this.#windowOf(caller, now);
    window.used += 1;
    return { left: this.#perMinute - window.used, reset: Math.max(1, Math.ceil((window.ends - now) / 1000)) };
  }

  /** How many callers are remembered. */
  get size(): number {
    return this.#windows.size;
  }

  #windowOf(caller: string, now: number): Window {
    const known = this.#windows.get(caller);
    if (known !== undefined && known.ends > now) return known;
    this.#windows.delete(caller);
    this.#makeRoom(now);
    const window = { ends: now + WINDOW_MS, used: 0 };
    this.#windows.set(caller, window);
    return window;
  }

  /** Forgets windows that are past and, if that isn't enough, the callers that came first. */
  #makeRoom(now: number): void {
    for (const [caller, { ends }] of this.#windows) {
      if (ends > now && this.#windows.size < this.#most) return;
      this.#windows.delete(caller);
    }
  }
}
