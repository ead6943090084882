import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../db/connect.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { type Api, api } from '../../test/support/api.ts';
import { planOf } from '../api/seed.ts';

const LOOK_EVERY = 20;
const PATIENCE = 120_000;

/** Somebody else's test clock with one contract, advanced by an hour while a herd wakes. */
export class LoneClock {
  readonly #api: Api;
  readonly #id: string;
  #now: number;

  private constructor(calls: Api, id: string, now: number) {
    this.#api = calls;
    this.#id = id;
    this.#now = now;
  }

  static async make(db: Database, base: string): Promise<LoneClock> {
    const { apiKey } = await createVendor(db, 'Lone clock');
    const calls = api(apiKey, base);
    const now = Date.now();
    const id = await calls.made('/v1/c/test_clock', { now: new Date(now).toISOString() });
    const plan = await calls.made('/v1/c/plan', planOf('pro', 1));
    const customer = await calls.made('/v1/c/customer', { name: 'Lone', test_clock: id });
    await calls.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    return new LoneClock(calls, id, now);
  }

  /** @returns seconds until the clock is ready */
  async advance(): Promise<number> {
    const began = performance.now();
    this.#now += 3_600_000;
    await this.#api.made(`/v1/c/test_clock/${this.#id}/advance`, { now: new Date(this.#now).toISOString() });
    while (performance.now() < began + PATIENCE) {
      const { status } = await this.#api.read<{ status: string }>(`/v1/c/test_clock/${this.#id}`);
      if (status === 'ready') return (performance.now() - began) / 1000;
      await pause(LOOK_EVERY);
    }
    throw new Error('the clock is still on its way');
  }
}
