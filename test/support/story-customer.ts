import type * as shape from '../../client/src/index.ts';
import { foreseenFigures } from './foreseen.ts';
import type { DiscountSpec, PlanSpec } from './story-catalogue.ts';
import { type ChangeWords, StoryContract } from './story-contract.ts';
import { type Hit, unmatched } from './story-lines.ts';
import { dayOf, instantOf } from './story-time.ts';
import type { StoryVendor } from './story-vendor.ts';

type Details = Omit<shape.CustomerRequest, 'id'>;
type Terms = Partial<shape.SignRequest> & { discount?: DiscountSpec };
type Currency = shape.Currency;

/** A customer in a story. What is said of "the contract" is about the one signed last. */
export class StoryCustomer {
  readonly vendor: StoryVendor;
  readonly #api: shape.Perennial;
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

  async #register(): Promise<string> {
    const id = await this.#api.saveCustomer({ ...this.#details, test_clock: this.vendor.clock.id });
    await this.#api.activateCustomer(id);
    return id;
  }

  async changesDetails(details: Details): Promise<void> {
    await this.#api.saveCustomer({ id: await this.id(), ...details });
  }

  async read(): Promise<shape.Customer> {
    return this.#api.getCustomer(await this.id());
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
    this.#contract = new StoryContract(this, await this.#api.signContract({ ...body, ...token }));
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
  async uses(feature_slug: string, units: string, at?: string, words: Partial<shape.UsageRequest> = {}): Promise<string> {
    const timestamp = at === undefined ? {} : { timestamp: instantOf(at) };
    return this.#api.reportUsage({ customer_id: await this.id(), feature_slug, units, ...timestamp, ...words });
  }

  async amends(eventId: string, units: string): Promise<void> {
    await this.#api.amendUsage(eventId, { units });
  }

  async discards(eventId: string): Promise<void> {
    await this.#api.discardUsage(eventId);
  }

  async expectsUsed(feature: string, units: string): Promise<void> {
    const { plan } = await this.contract.read();
    const details = plan.features.find(({ slug }) => slug === feature)?.price?.strategy_details;
    expect(details).toMatchObject({ units_used: units });
  }

  // freezing

  async freezes(words: shape.FreezeRequest = {}): Promise<void> {
    await this.#api.freezeCustomer(await this.id(), { notes: 'on leave', ...words });
  }

  async unfreezes(): Promise<void> {
    await this.#api.activateCustomer(await this.id(), { notes: 'back' });
  }

  // money

  async grants(amount: string, currency: Currency = 'usd'): Promise<void> {
    await this.#api.createWalletTransaction(await this.id(), { currency, amount, description: 'a present' });
  }

  /** Pays what is open, as the vendor records a bank transfer. */
  async pays(): Promise<void> {
    for (const { invoice, amount_due } of await this.invoices()) {
      if (invoice.status !== 'ready_for_payment' || Number(amount_due) === 0) continue;
      await this.#api.payInvoice(invoice.id, { method: 'manual' });
    }
  }

  async invoices(): Promise<Hit[]> {
    const { hits } = await this.#api.listInvoices({ customer: await this.id(), limit: 100 });
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
    const { balances } = await this.#api.getWallet(await this.id());
    expect(balances.find((wallet) => wallet.currency === currency)?.balance ?? '0.00').toBe(balance);
  }

  /** What is still open in a currency. */
  async expectsUnpaid(total: string, currency: Currency = 'usd'): Promise<void> {
    const { unpaid_invoices_info } = (await this.mayPay()).payment;
    expect(unpaid_invoices_info.find((info) => info.currency === currency)?.total_unpaid ?? '0.00').toBe(total);
  }

  /** What the customer may use. */
  async mayUse(): Promise<shape.AccessEntitlement> {
    return this.#api.getAccessEntitlement(await this.id());
  }

  /** How the customer stands with its payments. */
  async mayPay(): Promise<shape.BillingEntitlement> {
    return this.#api.getBillingEntitlement(await this.id());
  }

  async features(): Promise<string[]> {
    return ((await this.mayUse()).plan?.features ?? []).map(({ slug }) => slug);
  }
}
