import type { Api, Json } from './api.ts';
import type { Plan } from './story-catalogue.ts';
import { type ChangeWords, StoryContract, type Words } from './story-contract.ts';
import { type Hit, unmatched } from './story-lines.ts';
import { dayOf, instantOf } from './story-time.ts';
import type { StoryVendor } from './story-vendor.ts';

/** A customer in a story. What is said of "the contract" is about the one signed last. */
export class StoryCustomer {
  readonly vendor: StoryVendor;
  readonly #api: Api;
  readonly #details: Words;
  #id: Promise<string> | null = null;
  #contract: StoryContract | null = null;

  constructor(vendor: StoryVendor, details: Words) {
    this.vendor = vendor;
    this.#api = vendor.api;
    this.#details = details;
  }

  /** Comes to be, registered, on the story's clock when first needed. */
  id(): Promise<string> {
    this.#id ??= this.#register();
    return this.#id;
  }

  get exists(): boolean {
    return this.#id !== null;
  }

  get contract(): StoryContract {
    if (this.#contract === null) throw new Error('nothing is signed yet');
    return this.#contract;
  }

  async #register(): Promise<string> {
    const id: string = await this.#api.made('/v1/c/customer', { ...this.#details, test_clock: this.vendor.clock.id });
    await this.#api.made(`/v1/c/customer/${id}/activate`, {});
    return id;
  }

  async changesDetails(details: Words): Promise<void> {
    await this.#api.made('/v1/c/customer', { id: await this.id(), ...details });
  }

  async read(): Promise<Json> {
    return this.#api.read(`/v1/c/customer/${await this.id()}`);
  }

  // the contract signed last

  async signs(
    plan: Plan,
    { discount, ...words }: Words & { discount?: Parameters<StoryVendor['discountId']>[0] } = {},
  ): Promise<StoryContract> {
    const { currency, cycle } = plan.pricings[0];
    const id: string = await this.#api.made('/v1/c/contract', {
      customer: await this.id(),
      plan: await this.vendor.planId(plan),
      currency,
      cycle,
      ...(discount === undefined ? {} : { discount_id: await this.vendor.discountId(discount) }),
      ...words,
    });
    this.#contract = new StoryContract(this, this.#api, id);
    await this.#contract.becomesReady();
    return this.#contract;
  }

  changesTo(plan: Plan, words?: ChangeWords): Promise<string> {
    return this.contract.changesTo(plan, words);
  }

  changesUnits(units: Record<string, string>, words?: ChangeWords): Promise<string> {
    return this.contract.changesUnits(units, words);
  }

  undoesTheChange(): Promise<Json> {
    return this.contract.undoesTheChange();
  }

  cancels(when: string, words?: { credit?: boolean }): Promise<Json> {
    return this.contract.cancels(when, words);
  }

  // usage

  /** Reports usage; `at` is its timestamp, absent = now. Gives the event's id. */
  async uses(feature_slug: string, units: string, at?: string, words: Words = {}): Promise<string> {
    return this.#api.made('/v1/c/usage', {
      customer_id: await this.id(),
      feature_slug,
      units,
      ...(at === undefined ? {} : { timestamp: instantOf(at) }),
      ...words,
    });
  }

  amends(event: string, units: string): Promise<Json> {
    return this.#api.made(`/v1/c/usage/${event}/amend`, { units });
  }

  discards(event: string): Promise<Json> {
    return this.#api.made(`/v1/c/usage/${event}/discard`, {});
  }

  async expectsUsed(feature: string, units: string): Promise<void> {
    const { plan } = await this.contract.read();
    const found = plan.features.find((candidate: Json) => candidate.slug === feature);
    expect(found.price.strategy_details.units_used).toBe(units);
  }

  // freezing

  async freezes(): Promise<void> {
    await this.#api.made(`/v1/c/customer/${await this.id()}/inactivate`, { notes: 'on leave' });
  }

  async unfreezes(): Promise<void> {
    await this.#api.made(`/v1/c/customer/${await this.id()}/activate`, { notes: 'back' });
  }

  // money

  async grants(amount: string, currency = 'usd'): Promise<void> {
    const description = 'a present';
    await this.#api.made(`/v1/c/customer/${await this.id()}/wallet/transaction`, { currency, amount, description });
  }

  /** Pays what is open, as the vendor records a bank transfer. */
  async pays(): Promise<void> {
    for (const { invoice, amount_due } of await this.invoices()) {
      if (invoice.status === 'ready_for_payment' && amount_due !== '0.00')
        await this.#api.made(`/v1/c/invoice/${invoice.id}/pay`, { method: 'manual' });
    }
  }

  async invoices(): Promise<Hit[]> {
    const { hits } = await this.#api.read(`/v1/c/invoice?customer=${await this.id()}&limit=100`);
    return hits.sort((a: Hit, b: Hit) => a.invoice.date.localeCompare(b.invoice.date));
  }

  /** The invoices made at this instant. */
  async invoicesOf(at: string): Promise<Hit[]> {
    return (await this.invoices()).filter(({ invoice }) => invoice.date === instantOf(at));
  }

  /** The lines of all invoices made at this instant. */
  async linesOf(at: string): Promise<Json[]> {
    return (await this.invoicesOf(at)).flatMap(({ invoice_items }) => invoice_items);
  }

  /** All invoices so far, oldest first, written as "100.00" or "2025-01-01 100.00". Those of one instant in any order. */
  async expectsInvoices(...expected: string[]): Promise<void> {
    const hits = await this.invoices();
    const dated = expected.some((line) => line.includes('-'));
    const real = hits.map(({ invoice }) => (dated ? `${dayOf(invoice.date)} ${invoice.total}` : invoice.total));
    expect(dated ? real.sort() : real).toEqual(dated ? [...expected].sort() : expected);
  }

  /** The lines written at this instant, in any order, as "Pro 100.00" or "100.00". */
  async expectsLines(at: string, ...expected: string[]): Promise<void> {
    const items = await this.linesOf(at);
    expect(unmatched(expected, items)).toEqual({ missing: [], surplus: [] });
  }

  async expectsWallet(balance: string, currency = 'usd'): Promise<void> {
    const { balances } = await this.#api.read(`/v1/c/customer/${await this.id()}/wallet`);
    expect(balances.find((wallet: Json) => wallet.currency === currency)?.balance ?? '0.00').toBe(balance);
  }

  /** What is still open, per currency of the invoices. */
  async expectsUnpaid(total: string, currency = 'usd'): Promise<void> {
    const { payment } = await this.entitlement('billing');
    expect(payment.unpaid_invoices_info.find((info: Json) => info.currency === currency)?.total_unpaid ?? '0.00').toBe(total);
  }

  async entitlement(kind: 'access' | 'billing'): Promise<Json> {
    return this.#api.read(`/v1/c/entitlement/${await this.id()}/${kind}`);
  }
}
