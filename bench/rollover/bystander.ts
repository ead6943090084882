import { Agent, request } from 'node:http';
import type { Database } from '../../db/connect.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { api } from '../../test/support/api.ts';
import { type Seed, seed } from '../api/seed.ts';

const CUSTOMERS = 10;
/**
 * One usage report and one entitlement read in so many milliseconds: what a small vendor asks, far below what the API
 * can.
 */
const EVERY = 40;

interface Sample {
  at: number;
  ms: number;
  ok: boolean;
}

/** Milliseconds, of half the requests and of 99 in 100. */
export interface Latency {
  p50: number;
  p99: number;
  requests: number;
  failures: number;
}

/**
 * Somebody else's light and steady load on the API while a herd falls due: 25 usage reports and 25 entitlement reads a
 * second.
 */
export class Bystander {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #samples: Sample[] = [];
  readonly #base: string;
  readonly #key: string;
  readonly #seed: Seed;
  #timer: NodeJS.Timeout | null = null;
  #sent = 0;

  private constructor(base: string, key: string, seeded: Seed) {
    this.#base = base;
    this.#key = key;
    this.#seed = seeded;
  }

  static async arrive(db: Database, base: string): Promise<Bystander> {
    const { apiKey } = await createVendor(db, 'Bystander');
    return new Bystander(base, apiKey, await seed(api(apiKey, base), CUSTOMERS));
  }

  begin(): void {
    this.#timer = setInterval(() => {
      const customer = this.#seed.customers[this.#sent % CUSTOMERS] ?? '';
      this.#sent += 1;
      this.#ask('POST', '/v1/c/usage', JSON.stringify({ customer_id: customer, feature_slug: 'calls', units: '1' }));
      this.#ask('GET', `/v1/c/entitlement/${customer}/access`, '');
    }, EVERY);
  }

  /** Answers that were asked for in a span of time. */
  between(from: number, to: number): Latency {
    const some = this.#samples.filter(({ at }) => at >= from && at < to);
    const sorted = some.map(({ ms }) => ms).sort((a, b) => a - b);
    const share = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
    return { p50: share(0.5), p99: share(0.99), requests: some.length, failures: some.filter(({ ok }) => !ok).length };
  }

  pause(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  leave(): void {
    this.pause();
    this.#agent.destroy();
  }

  #ask(method: 'GET' | 'POST', path: string, body: string): void {
    const [at, began] = [Date.now(), performance.now()];
    const note = (ok: boolean): void => {
      this.#samples.push({ at, ms: performance.now() - began, ok });
    };
    const headers = { 'wb-key': this.#key, ...(body === '' ? {} : { 'content-type': 'application/json' }) };
    request(new URL(path, this.#base), { method, agent: this.#agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => note((answer.statusCode ?? 500) < 300));
    })
      .on('error', () => note(false))
      .end(body);
  }
}
