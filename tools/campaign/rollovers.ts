import type { Database } from '../../db/connect.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { type Api, api, type AnyJson } from '../../test/support/api.ts';
import { pause } from './attack.ts';

const HOUR = 3_600_000;
const CONTRACTS = 3;
const LONGEST_WAIT_MS = 60_000;
const POLL_MS = 200;

/** Somebody else's contracts that roll over while the attack is on. */
export class Rollovers {
  readonly #api: Api;
  readonly #plan: string;

  private constructor(calls: Api, plan: string) {
    this.#api = calls;
    this.#plan = plan;
  }

  static async of(db: Database, base: string): Promise<Rollovers> {
    const calls = api((await createVendor(db, 'Bystander with rollovers')).apiKey, base);
    const plan = await calls.made('/v1/c/plan', {
      ...{ slug: 'hourly', internal_name: 'hourly', strategy: 'plan' },
      pricings: [{ currency: 'usd', cycle: 'hour', price: { amount: '1', strategy_details: { pricing_strategy: 'flat' } } }],
    });
    return new Rollovers(calls, plan);
  }

  /**
   * Signs contracts whose hour ends at a moment; resolves to the milliseconds by which the last of their invoices came
   * late.
   */
  async endingAt(boundary: number): Promise<() => Promise<number>> {
    const activation = new Date(boundary - HOUR).toISOString();
    const signing = Array.from({ length: CONTRACTS }, async () => {
      const customer = await this.#api.made('/v1/c/customer', { name: 'On time' });
      return this.#api.made('/v1/c/contract', { customer, plan: this.#plan, currency: 'usd', cycle: 'hour', activation });
    });
    const contracts = await Promise.all(signing);
    const watching = Promise.all(contracts.map((contract) => this.#lateness(contract, boundary)));
    // awaited after the attack has ended
    watching.catch(() => undefined);
    return async () => Math.max(...(await watching));
  }

  async #lateness(contract: string, boundary: number): Promise<number> {
    await pause(Math.max(0, boundary - Date.now()));
    for (;;) {
      if (await this.#hasRolledOver(contract, boundary)) return Date.now() - boundary;
      if (Date.now() > boundary + LONGEST_WAIT_MS) return Number.POSITIVE_INFINITY;
      await pause(POLL_MS);
    }
  }

  async #hasRolledOver(contract: string, boundary: number): Promise<boolean> {
    const { status, body } = await this.#api.get<AnyJson>(`/v1/c/invoice?contract=${contract}`);
    return status === 200 && body.hits.some(({ invoice }: AnyJson) => Date.parse(invoice.date) === boundary);
  }
}
