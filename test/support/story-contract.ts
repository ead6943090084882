import type * as shape from '../../client/src/index.ts';
import type { AnyJson } from './api.ts';
import { eventually } from './eventually.ts';
import { foreseenFigures } from './foreseen.ts';
import type { PlanSpec } from './story-catalogue.ts';
import type { StoryCustomer } from './story-customer.ts';
import { type Hit, itemFigures } from './story-lines.ts';
import { dayOf, instantOf } from './story-time.ts';

type Configuration = shape.UpgradeConfiguration;
/** `downgrade_allowed` and `estimate_token` belong next to the configuration, everything else into it. */
export type ChangeWords = Partial<Configuration> & { downgrade_allowed?: boolean; estimate_token?: string };
type Change = Configuration & Pick<ChangeWords, 'downgrade_allowed' | 'estimate_token'>;

/** A contract in a story, followed along its chain of changes: `id` is the one that lives now. */
export class StoryContract {
  readonly #customer: StoryCustomer;
  readonly #api: shape.Perennial;
  id: string;
  /** The scheduled contract of the change that waits, or the last one that did. */
  successor: string | null = null;
  /** The contract this one was changed away from. */
  previous: string | null = null;

  constructor(customer: StoryCustomer, id: string) {
    this.#customer = customer;
    this.#api = customer.vendor.client;
    this.id = id;
  }

  read(id = this.id): Promise<shape.Contract> {
    return this.#api.getContract(id);
  }

  async becomesReady(): Promise<void> {
    await eventually(async () => expect((await this.read()).contract_summary.status).not.toBe('not_ready'));
  }

  /** What is due next, as "2025-01-12 trial_ending". */
  async next(): Promise<string[]> {
    const { next } = await this.#api.getContractTimeline(this.id);
    return next.map(({ at, what }) => `${dayOf(at)} ${what}`);
  }

  upcoming(): Promise<shape.UpcomingInvoice> {
    return this.#api.getUpcomingInvoice(this.id);
  }

  /** Events of one type about the contract. */
  async eventsOf(type: string): Promise<{ timestamp: string; data: unknown }[]> {
    const { hits } = await this.#customer.vendor.api.read(`/v1/c/event?object=${this.id}&type=${type}`);
    return hits.map(({ timestamp, data }: AnyJson) => ({ timestamp, data }));
  }

  // changes

  async changesTo(plan: PlanSpec, words: ChangeWords = {}): Promise<string> {
    return this.#change({ upgrade_strategy: 'new_plan', plan_id: await this.#customer.vendor.planId(plan), ...words });
  }

  changesUnits(units: Record<string, string>, words: ChangeWords = {}): Promise<string> {
    return this.#change({ upgrade_strategy: 'change_unit_count', unit_count_configuration: units, ...words });
  }

  async estimatesChangeTo(plan: PlanSpec, words: ChangeWords = {}): Promise<shape.UpgradeEstimate> {
    return this.#estimate({ upgrade_strategy: 'new_plan', plan_id: await this.#customer.vendor.planId(plan), ...words });
  }

  estimatesUnits(units: Record<string, string>): Promise<shape.UpgradeEstimate> {
    return this.#estimate({ upgrade_strategy: 'change_unit_count', unit_count_configuration: units });
  }

  #estimate(words: Change): Promise<shape.UpgradeEstimate> {
    const { estimate_token: _, ...body } = bodyOf(words);
    return this.#api.estimateUpgrade(this.id, body);
  }

  /**
   * Every change is estimated first, and an immediate one must write just the invoices its estimate showed, but for
   * usage that closes later.
   */
  async #change(words: Change): Promise<string> {
    const before = new Set((await this.#customer.invoices()).map(({ invoice }) => invoice.id));
    const estimate = words.estimate_token === undefined ? await this.#estimate(words) : null;
    const next = await this.#api.upgradeContract(this.id, bodyOf(words));
    const { status, configuration } = (await this.read(next)).contract_summary;
    if (status === 'scheduled') {
      this.successor = next;
      return next;
    }
    this.previous = this.id;
    this.id = next;
    if (estimate !== null && configuration.invoice_trigger === 'immediate') {
      const invoices = (await this.#customer.invoices()).filter(({ invoice }) => !before.has(invoice.id));
      const { remains_to_pay_current_contract: owed, price_on_new_contract: fresh } = estimate;
      const written = invoices.map(seen).sort();
      const promised = [...owed, ...fresh].map(seen).sort();
      // usage that closes later by its policy is shown and not yet written
      const shown = configuration.usage_period_closing_policy === 'automatic' ? [] : owed.map(seen);
      // lines that wait for the next invoice are shown and not yet invoiced
      const waits = estimate.change_rule.collect === 'next_invoice';
      expect(promised.filter((one) => written.includes(one) || (!waits && !shown.includes(one)))).toEqual(written);
    }
    return next;
  }

  async undoesTheChange(): Promise<void> {
    await this.#api.undoContractChange(this.id);
  }

  /** Follows a deferred change that has happened by now. */
  follows(): void {
    if (this.successor === null) throw new Error('no change was scheduled');
    this.previous = this.id;
    this.id = this.successor;
    this.successor = null;
  }

  // ends and beginnings

  /** Every cancellation is estimated first, and one for now writes at once what its estimate shows of that instant. */
  async cancels(when: 'now' | 'end_of_cycle' | string, words: { credit?: boolean } = {}): Promise<void> {
    const shown = when === 'now' || when === 'end_of_cycle' ? { type: when } : { type: 'date' as const, date: instantOf(when) };
    const body = { when: shown, ...words } as shape.CancelRequest;
    const { api } = this.#customer.vendor;
    const estimated = await api.post(`/v1/c/contract/${this.id}/cancel_estimate`, body);
    const before = new Set((await this.#customer.invoices()).map(({ invoice }) => invoice.id));
    const gone = await this.#creditsTaken();
    await this.#api.cancelContract(this.id, body);
    expect(estimated.status).toBe(200);
    const written = (await this.#customer.invoices()).filter(({ invoice }) => !before.has(invoice.id));
    const at = await this.#customer.vendor.clock.now();
    const foreseen = estimated.body.invoices.filter(({ invoice }: AnyJson) => invoice.date === at);
    expect(written.map(foreseenFigures).sort()).toEqual(foreseen.map(foreseenFigures).sort());
    if (when === 'now') expect(((await this.#creditsTaken()) - gone).toFixed(2)).toBe(estimated.body.credits_taken_back);
  }

  /** What grants have lost otherwise than by their use or their end. */
  async #creditsTaken(): Promise<number> {
    const { hits } = await this.#customer.vendor.api.read('/v1/c/event?type=v1.credit.expired&limit=100');
    const taken = hits.filter(({ data }: AnyJson) => data.reason !== 'expired');
    return taken.reduce((total: number, { data }: AnyJson) => total + Number(data.amount), 0);
  }

  async undoesTheCancellation(): Promise<void> {
    await this.#api.undoContractCancellation(this.id);
  }

  async activates(at?: string): Promise<void> {
    await this.#api.activateContract(this.id, at === undefined ? {} : { activation: instantOf(at) });
  }

  // charges and usage

  async charges(feature_slug: string, units?: string): Promise<void> {
    await this.#api.chargeContract(this.id, { feature_slug, ...(units === undefined ? {} : { units }) });
  }

  usagePeriods(contractId = this.id): Promise<shape.UsagePeriod[]> {
    return this.#api.listUsagePeriods(contractId, { limit: 100 }).all();
  }

  async closesUsage(idx: number, contractId = this.id): Promise<void> {
    await this.#api.closeUsagePeriod(contractId, idx);
  }

  makesInvoice(): Promise<string[]> {
    return this.#api.makeInvoices({ contract_id: this.id });
  }

  // what is expected of it

  async expectsStatus(status: shape.ContractStatus, id = this.id): Promise<void> {
    expect((await this.read(id)).contract_summary.status).toBe(status);
  }

  /** `end` null for the single period of `once` and `constant`. */
  async expectsPeriod(start: string, end: string | null, idx?: number): Promise<void> {
    const { current_period: period, current_period_idx } = (await this.read()).billing_information;
    expect(period && [dayOf(period.start), period.end && dayOf(period.end)]).toEqual([start, end]);
    if (idx !== undefined) expect(current_period_idx).toBe(idx);
  }

  async expectsNextCycle(at: string): Promise<void> {
    const { next_cycle_start } = (await this.read()).contract_summary;
    expect(next_cycle_start && dayOf(next_cycle_start)).toBe(at);
  }
}

function bodyOf({ downgrade_allowed, estimate_token, ...upgrade_configuration }: Change): shape.UpgradeRequest {
  return {
    upgrade_configuration,
    ...(downgrade_allowed === undefined ? {} : { downgrade_allowed }),
    ...(estimate_token === undefined ? {} : { estimate_token }),
  };
}

function seen({ invoice, invoice_items }: Pick<Hit, 'invoice' | 'invoice_items'>): string {
  const { total, currency, date, due_date } = invoice;
  return JSON.stringify([total, currency, date, due_date, itemFigures(invoice_items)]);
}
