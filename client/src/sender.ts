import { setTimeout as pause } from 'node:timers/promises';
import type { PerennialError } from './errors.ts';
import { failureOf, refusalOf } from './failures.ts';
import type { Request } from './request.ts';
import { pauseBefore } from './retry.ts';

export interface SenderOptions {
  /** Where the API answers, such as `https://billing.example.com`. */
  readonly baseUrl: string;
  /** A key of the vendor; its scope decides what it may do. */
  readonly apiKey: string;
  /** The longest time for one try, in milliseconds: 30,000 unless given. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is sent again at most, when that is safe and may help: 4 unless given. */
  readonly maxRetries?: number | undefined;
  /** Instead of the global `fetch`, for instance to go through a proxy. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
}

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 4;

type Outcome = { bytes: Uint8Array } | { error: PerennialError; waitMs: number | null };

/** Sends a request until it is answered for good. */
export class Sender {
  readonly #apiKey: string;
  readonly #base: string;
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    if (options.apiKey === '') throw new TypeError('The API key is empty.');
    this.#base = new URL(options.baseUrl).href.replace(/\/+$/, '');
    this.#apiKey = options.apiKey;
    this.#options = options;
  }

  /** The body of the answer. Throws `PerennialError`, or the reason of the caller's signal. */
  async send(request: Request, { signal, timeoutMs, maxRetries }: SendOptions): Promise<Uint8Array> {
    const most = request.isRepeatable ? (maxRetries ?? this.#options.maxRetries ?? MAX_RETRIES) : 0;
    for (let tries = 1; ; tries += 1) {
      const outcome = await this.#try(request, tries, signal, timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS);
      if ('bytes' in outcome) return outcome.bytes;
      if (outcome.waitMs === null || tries > most) throw outcome.error;
      await pause(outcome.waitMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }

  async #try(request: Request, tries: number, signal: AbortSignal | undefined, timeoutMs: number): Promise<Outcome> {
    signal?.throwIfAborted();
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await this.#fetch(request, signal ? AbortSignal.any([signal, timeout]) : timeout);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (answer.ok) return { bytes };
      const retryAfter = answer.headers.get('retry-after');
      return { error: refusalOf(request, answer, bytes), waitMs: pauseBefore(tries, { status: answer.status, retryAfter }) };
    } catch (cause) {
      signal?.throwIfAborted();
      return { error: failureOf(request, cause, timeout.aborted ? timeoutMs : null), waitMs: pauseBefore(tries, null) };
    }
  }

  /** A redirect is not followed: it would carry the key to another host. */
  #fetch({ method, target, body, idempotencyKey }: Request, signal: AbortSignal): Promise<Response> {
    const send = this.#options.fetch ?? globalThis.fetch;
    return send(`${this.#base}${target}`, {
      method,
      redirect: 'manual',
      signal,
      headers: {
        accept: 'application/json, application/pdf',
        'wb-key': this.#apiKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body }),
    });
  }
}
