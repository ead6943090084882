import type { Api, Json } from './api.ts';
import type { TestClock } from './clock.ts';
import { type Discount, type Plan, planRequest } from './story-catalogue.ts';
import { StoryCustomer } from './story-customer.ts';
import { checkBooks } from './story-lines.ts';
import type { TestVendor } from './vendor.ts';

/** The vendor of one story, with the catalogue its customers sign from. */
export class StoryVendor {
  readonly api: Api;
  readonly apiKey: string;
  readonly #plans = new Map<string, Promise<string>>();
  readonly #discounts = new Map<string, Promise<string>>();
  readonly #customers: StoryCustomer[] = [];
  #clock: TestClock | null = null;

  constructor({ api, apiKey }: TestVendor) {
    this.api = api;
    this.apiKey = apiKey;
  }

  get clock(): TestClock {
    if (this.#clock === null) throw new Error('the story has no date yet: begin with on(…)');
    return this.#clock;
  }

  livesAt(clock: TestClock): void {
    this.#clock = clock;
  }

  planId(plan: Plan): Promise<string> {
    return remembered(this.#plans, plan.slug, () => this.api.made('/v1/c/plan', planRequest(plan)));
  }

  discountId(discount: Discount): Promise<string> {
    return remembered(this.#discounts, discount.slug, () => this.api.made('/v1/c/discount', { name: discount.slug, ...discount }));
  }

  customer(name: string, details: Record<string, unknown> = {}): StoryCustomer {
    const customer = new StoryCustomer(this, { name, ...details });
    this.#customers.push(customer);
    return customer;
  }

  setsTaxes(preferences: Json): Promise<Json> {
    return this.api.made('/v1/c/preferences/tax', preferences);
  }

  async checkAllBooks(): Promise<void> {
    for (const customer of this.#customers) if (customer.exists) checkBooks(await customer.invoices());
  }
}

function remembered<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}
