import { done, given, type Perennial, type Schema } from '../../tools/client/client.ts';
import { foreseenFigures } from './foreseen.ts';
import type { DiscountSpec, PlanSpec } from './story-catalogue.ts';
import { type ChangeWords, StoryContract } from './story-contract.ts';
import { type Hit, unmatched } from './story-lines.ts';
import { dayOf, instantOf } from './story-time.ts';
import type { StoryVendor } from './story-vendor.ts';

type Details = Omit<Schema['CustomerRequest'], 'id'>;
type Terms = Partial<Schema['SignRequest']> & { discount?: DiscountSpec };
type Currency = Schema['Currency'];

/** A customer in a story. What is said of "the contract" is about the one signed last. */
export class StoryCustomer {
  readonly vendor: StoryVendor;
  readonly #api: Perennial;
  readonly #details: Details;
  #id: Promise<string> | null = null;
  #contract: StoryContract | null = null;

  constructor(vendor: StoryVendor, details: Details) {
    this.vendor = vendor;
    this.#api = vendor.client;
    this.#details = details;
  }

  /** Created and activated on the story's clock when it is first needed. */
  id(): Promise<string> {
    this.#id ??= this.#register();
    return this.#id;
  }

  get exists(): boolean {
    return this.#id !== null;
  }

  /** The contract signed last; null before the first. */
  get signed(): StoryContract | null {
    return this.#contract;
  }

  get contract(): StoryContract {
    if (this.#contract === null) throw new Error('nothing is signed yet');
    return this.#contract;
  }

  async #path() {
    return { path: { customer_id: await this.id() } };
  }

  async #register(): Promise<string> {
    const customer_id = await given(this.#api.POST('/v1/c/customer', { body: { ...this.#details, test_clock: this.vendor.clock.id } }));
    await done(this.#api.POST('/v1/c/customer/{customer_id}/activate', { params: { path: { customer_id } }, body: {} }));
    return customer_id;
  }

  async changesDetails(details: Details): Promise<void> {
    await given(this.#api.POST('/v1/c/customer', { body: { id: await this.id(), ...details } }));
  }

  async read(): Promise<Schema['Customer']> {
    return given(this.#api.GET('/v1/c/customer/{customer_id}', { params: await this.#path() }));
  }

  // the contract signed last

  /** Every signing is estimated first, and writes the invoices of its estimate. */
  async signs(plan: PlanSpec, { discount, ...terms }: Terms = {}): Promise<StoryContract> {
    const { currency, cycle } = plan.pricings[0];
    const body = {
      customer: await this.id(),
      plan: await this.vendor.planId(plan),
      currency,
      cycle,
      ...(discount === undefined ? {} : { discount_id: await this.vendor.discountId(discount) }),
      ...terms,
    };
    const { status, body: estimate } = await this.vendor.api.post('/v1/c/contract_estimate', body);
    const token = status === 200 ? { estimate_token: estimate.estimate_token } : {};
    this.#contract = new StoryContract(this, await given(this.#api.POST('/v1/c/contract', { body: { ...body, ...token } })));
    await this.#contract.becomesReady();
    for (const { invoice, invoice_items } of estimate.invoices ?? []) {
      const written = await this.vendor.api.read(`/v1/c/invoice/${invoice.id}`);
      expect(foreseenFigures(written)).toBe(foreseenFigures({ invoice, invoice_items }));
    }
    return this.#contract;
  }

  changesTo(plan: PlanSpec, words?: ChangeWords): Promise<string> {
    return this.contract.changesTo(plan, words);
  }

  changesUnits(units: Record<string, string>, words?: ChangeWords): Promise<string> {
    return this.contract.changesUnits(units, words);
  }

  undoesTheChange(): Promise<void> {
    return this.contract.undoesTheChange();
  }

  cancels(when: string, words?: { credit?: boolean }): Promise<void> {
    return this.contract.cancels(when, words);
  }

  // usage

  /** Reports usage; `at` is its timestamp, absent = now. Gives the event's id. */
  async uses(feature_slug: string, units: string, at?: string, words: Partial<Schema['UsageRequest']> = {}): Promise<string> {
    const timestamp = at === undefined ? {} : { timestamp: instantOf(at) };
    return given(this.#api.POST('/v1/c/usage', { body: { customer_id: await this.id(), feature_slug, units, ...timestamp, ...words } }));
  }

  amends(event_id: string, units: string): Promise<void> {
    return done(this.#api.POST('/v1/c/usage/{event_id}/amend', { params: { path: { event_id } }, body: { units } }));
  }

  discards(event_id: string): Promise<void> {
    return done(this.#api.POST('/v1/c/usage/{event_id}/discard', { params: { path: { event_id } }, body: {} }));
  }

  async expectsUsed(feature: string, units: string): Promise<void> {
    const { plan } = await this.contract.read();
    const details = plan.features.find(({ slug }) => slug === feature)?.price?.strategy_details;
    expect(details).toMatchObject({ units_used: units });
  }

  // freezing

  async freezes(words: Schema['FreezeRequest'] = {}): Promise<void> {
    const body = { notes: 'on leave', ...words };
    await done(this.#api.POST('/v1/c/customer/{customer_id}/inactivate', { params: await this.#path(), body }));
  }

  async unfreezes(): Promise<void> {
    await done(this.#api.POST('/v1/c/customer/{customer_id}/activate', { params: await this.#path(), body: { notes: 'back' } }));
  }

  // money

  async grants(amount: string, currency: Currency = 'usd'): Promise<void> {
    const body = { currency, amount, description: 'a present' };
    await done(this.#api.POST('/v1/c/customer/{customer_id}/wallet/transaction', { params: await this.#path(), body }));
  }

  /** Pays what is open, as the vendor records a bank transfer. */
  async pays(): Promise<void> {
    for (const { invoice, amount_due } of await this.invoices()) {
      if (invoice.status !== 'ready_for_payment' || Number(amount_due) === 0) continue;
      const params = { path: { invoice_id: invoice.id } };
      await done(this.#api.POST('/v1/c/invoice/{invoice_id}/pay', { params, body: { method: 'manual' } }));
    }
  }

  async invoices(): Promise<Hit[]> {
    const query = { customer: await this.id(), limit: 100 };
    const { hits } = await given(this.#api.GET('/v1/c/invoice', { params: { query } }));
    const numberOf = ({ invoice }: Hit): number => Number(invoice.invoice_number.number);
    return hits.sort((a, b) => a.invoice.date.localeCompare(b.invoice.date) || numberOf(a) - numberOf(b));
  }

  /** The invoices made at this instant. */
  async invoicesOf(at: string): Promise<Hit[]> {
    return (await this.invoices()).filter(({ invoice }) => invoice.date === instantOf(at));
  }

  /** The lines of all invoices made at this instant. */
  async linesOf(at: string): Promise<Hit['invoice_items']> {
    return (await this.invoicesOf(at)).flatMap(({ invoice_items }) => invoice_items);
  }

  /**
   * All invoices so far, oldest first, written as "100.00" or "2025-01-01 100.00". Those of one instant in any order.
   */
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

  async expectsWallet(balance: string, currency: Currency = 'usd'): Promise<void> {
    const { balances } = await given(this.#api.GET('/v1/c/customer/{customer_id}/wallet', { params: await this.#path() }));
    expect(balances.find((wallet) => wallet.currency === currency)?.balance ?? '0.00').toBe(balance);
  }

  /** What is still open in a currency. */
  async expectsUnpaid(total: string, currency: Currency = 'usd'): Promise<void> {
    const { unpaid_invoices_info } = (await this.mayPay()).payment;
    expect(unpaid_invoices_info.find((info) => info.currency === currency)?.total_unpaid ?? '0.00').toBe(total);
  }

  /** What the customer may use. */
  async mayUse(): Promise<Schema['AccessEntitlement']> {
    return given(this.#api.GET('/v1/c/entitlement/{customer_id}/access', { params: await this.#path() }));
  }

  /** How the customer stands with its payments. */
  async mayPay(): Promise<Schema['BillingEntitlement']> {
    return given(this.#api.GET('/v1/c/entitlement/{customer_id}/billing', { params: await this.#path() }));
  }

  async features(): Promise<string[]> {
    return ((await this.mayUse()).plan?.features ?? []).map(({ slug }) => slug);
  }
}
