import type { Api, Json } from './api.ts';
import { eventually } from './eventually.ts';
import type { Plan } from './story-catalogue.ts';
import type { StoryCustomer } from './story-customer.ts';
import { figuresOf, type Hit } from './story-lines.ts';
import { dayOf, instantOf } from './story-time.ts';

export type Words = Record<string, unknown>;
/** `downgrade_allowed` and `estimate_token` belong beside the configuration, everything else into it. */
export type ChangeWords = Words & { downgrade_allowed?: boolean; estimate_token?: string };

/** A contract in a story, followed along its chain of changes: `id` is the one that lives now. */
export class StoryContract {
  readonly #customer: StoryCustomer;
  readonly #api: Api;
  id: string;
  /** The scheduled contract of the change that waits, or the last one that did. */
  successor: string | null = null;
  /** The contract this one was changed away from. */
  previous: string | null = null;

  constructor(customer: StoryCustomer, api: Api, id: string) {
    this.#customer = customer;
    this.#api = api;
    this.id = id;
  }

  read(id = this.id): Promise<Json> {
    return this.#api.read(`/v1/c/contract/${id}`);
  }

  async becomesReady(): Promise<void> {
    await eventually(async () => expect((await this.read()).contract_summary.status).not.toBe('not_ready'));
  }

  // changes

  async changesTo(plan: Plan, words: ChangeWords = {}): Promise<string> {
    return this.#change({ upgrade_strategy: 'new_plan', plan_id: await this.#customer.vendor.planId(plan), ...words });
  }

  changesUnits(units: Record<string, string>, words: ChangeWords = {}): Promise<string> {
    return this.#change({ upgrade_strategy: 'change_unit_count', unit_count_configuration: units, ...words });
  }

  async estimatesChangeTo(plan: Plan, words: ChangeWords = {}): Promise<Json> {
    return this.#estimate({ upgrade_strategy: 'new_plan', plan_id: await this.#customer.vendor.planId(plan), ...words });
  }

  estimatesUnits(units: Record<string, string>, words: ChangeWords = {}): Promise<Json> {
    return this.#estimate({ upgrade_strategy: 'change_unit_count', unit_count_configuration: units, ...words });
  }

  #estimate(words: ChangeWords): Promise<Json> {
    const { estimate_token: _, ...body } = bodyOf(words);
    return this.#api.made(`/v1/c/contract/${this.id}/upgrade_estimate`, body);
  }

  /** Every change is estimated first, and an immediate one must write just the invoices its estimate showed. */
  async #change(words: ChangeWords): Promise<string> {
    const before = new Set((await this.#customer.invoices()).map(({ invoice }) => invoice.id));
    const estimate = words.estimate_token === undefined ? await this.#estimate(words) : null;
    const old = this.id;
    const next: string = await this.#api.made(`/v1/c/contract/${old}/upgrade`, bodyOf(words));
    const { status, configuration } = (await this.read(next)).contract_summary;
    if (status === 'scheduled') {
      this.successor = next;
      return next;
    }
    this.previous = old;
    this.id = next;
    if (estimate !== null && configuration.invoice_trigger === 'immediate') {
      const written = (await this.#customer.invoices()).filter(({ invoice }) => !before.has(invoice.id));
      expect(written.map(seen).sort()).toEqual(
        [...estimate.remains_to_pay_current_contract, ...estimate.price_on_new_contract].map(seen).sort(),
      );
    }
    return next;
  }

  undoesTheChange(): Promise<Json> {
    return this.#api.made(`/v1/c/contract/${this.id}/change_undo`, {});
  }

  /** Follows a deferred change that has happened by now. */
  follows(): void {
    if (this.successor === null) throw new Error('no change was scheduled');
    this.previous = this.id;
    this.id = this.successor;
    this.successor = null;
  }

  // ends and beginnings

  cancels(when: 'now' | 'end_of_cycle' | string, words: { credit?: boolean } = {}): Promise<Json> {
    const told = when === 'now' || when === 'end_of_cycle' ? { type: when } : { type: 'date', date: instantOf(when) };
    return this.#api.made(`/v1/c/contract/${this.id}/cancel`, { when: told, ...words });
  }

  undoesTheCancellation(): Promise<Json> {
    return this.#api.made(`/v1/c/contract/${this.id}/cancel_undo`, {});
  }

  async activates(at?: string): Promise<void> {
    await this.#api.made(`/v1/c/contract/${this.id}/activate`, at === undefined ? {} : { activation: instantOf(at) });
  }

  // charges and usage

  charges(feature_slug: string, units?: string): Promise<Json> {
    return this.#api.made(`/v1/c/contract/${this.id}/charge`, { feature_slug, ...(units === undefined ? {} : { units }) });
  }

  usagePeriods(): Promise<Json[]> {
    return this.#api.read(`/v1/c/contract/${this.id}/usage_period`);
  }

  closesUsage(idx: number): Promise<Json> {
    return this.#api.made(`/v1/c/contract/${this.id}/usage_period/${idx}/close`, {});
  }

  makesInvoice(): Promise<string[]> {
    return this.#api.made(`/v1/c/invoice`, { contract_id: this.id });
  }

  // what is expected of it

  async expectsStatus(status: string, id = this.id): Promise<void> {
    expect((await this.read(id)).contract_summary.status).toBe(status);
  }

  /** `end` null for the single period of `once` and `constant`. */
  async expectsPeriod(start: string, end: string | null, idx?: number): Promise<void> {
    const { current_period, current_period_idx } = (await this.read()).billing_information;
    expect(current_period).not.toBeNull();
    expect([dayOf(current_period.start), current_period.end === null ? null : dayOf(current_period.end)]).toEqual([start, end]);
    if (idx !== undefined) expect(current_period_idx).toBe(idx);
  }

  async expectsNextCycle(at: string): Promise<void> {
    expect(dayOf((await this.read()).contract_summary.next_cycle_start)).toBe(at);
  }
}

function bodyOf({ downgrade_allowed, estimate_token, ...configuration }: ChangeWords): Words {
  return {
    upgrade_configuration: configuration,
    ...(downgrade_allowed === undefined ? {} : { downgrade_allowed }),
    ...(estimate_token === undefined ? {} : { estimate_token }),
  };
}

function seen({ invoice, invoice_items }: Pick<Hit, 'invoice' | 'invoice_items'>): string {
  const { total, currency, date, due_date } = invoice;
  return JSON.stringify([total, currency, date, due_date, figuresOf(invoice_items)]);
}
