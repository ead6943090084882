import type * as shape from '../../client/src/index.ts';
import { Perennial } from '../../client/src/index.ts';
import type { Api } from './api.ts';
import type { ClockHandle } from './clock.ts';
import { type DiscountSpec, type PlanSpec, planToSave } from './story-catalogue.ts';
import { StoryCustomer } from './story-customer.ts';
import { checkBooks } from './story-lines.ts';
import type { TestVendor } from './vendor.ts';

/** The vendor of one story, with the catalogue its customers sign from. */
export class StoryVendor {
  /** The API by its paths, for what the client has no words for. */
  readonly api: Api;
  readonly client: Perennial;
  readonly apiKey: string;
  readonly vendorId: string;
  readonly #plans = new Map<string, Promise<string>>();
  readonly #discounts = new Map<string, Promise<string>>();
  readonly #customers: StoryCustomer[] = [];
  #clock: ClockHandle | null = null;

  constructor({ api, apiKey, vendorId }: TestVendor, baseUrl: string) {
    // a story sees every refusal, also one that would pass when repeated
    this.client = new Perennial({ baseUrl, apiKey, maxRetries: 0 });
    this.api = api;
    this.apiKey = apiKey;
    this.vendorId = vendorId;
  }

  get clock(): ClockHandle {
    if (this.#clock === null) throw new Error('the story has no date yet: begin with on(…)');
    return this.#clock;
  }

  snapshotsAt(clock: ClockHandle): void {
    this.#clock = clock;
  }

  planId(plan: PlanSpec): Promise<string> {
    return remembered(this.#plans, plan.slug, () => this.client.savePlan(planToSave(plan)));
  }

  discountId(discount: DiscountSpec): Promise<string> {
    return remembered(this.#discounts, discount.slug, () => this.client.saveDiscount({ name: discount.slug, ...discount }));
  }

  customer(name: string, details: Omit<shape.CustomerRequest, 'id'> = {}): StoryCustomer {
    const customer = new StoryCustomer(this, { name, ...details });
    this.#customers.push(customer);
    return customer;
  }

  /** The contract signed last of each customer, as far as the story follows it. */
  signedContracts(): string[] {
    return this.#customers.flatMap((customer) => customer.signed?.id ?? []);
  }

  /** Changes preferences of a kind, such as `pause`. */
  sets(kind: string, body: object): Promise<void> {
    return this.api.made<void>(`/v1/c/preferences/${kind}`, body);
  }

  setsTaxes(body: shape.TaxRequest): Promise<void> {
    return this.client.setTaxPreferences(body);
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
