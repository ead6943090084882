/** An event the service said yes to. */
export interface ReportedEvent {
  id: string;
  customer: string;
  slug: string;
  units: number;
  /** null: when it arrived */
  at: number | null;
  absolute: boolean;
  order: number;
  discarded: boolean;
}

/** What was answered with a success: the service may never forget or double any of it. */
export class Journal {
  readonly events = new Map<string, ReportedEvent>();
  /** lines of on-demand charges */
  readonly charges: string[] = [];
  /** cents given to (or taken from) each customer's wallet */
  readonly grants = new Map<string, number>();
  /** cents of each credit grant */
  readonly credits = new Map<string, number>();
  /** cents of credits that were sold; credit notes lower what nobody has paid */
  readonly bought = new Map<string, number>();
  /** immediate and deferred changes: the id answered for each contract changed */
  readonly changes: { from: string; to: string }[] = [];
  /** contracts that a payment gate was to make: by now they are there, or their gate says what became of it */
  readonly gates: string[] = [];
  /** contracts that are canceled at once */
  readonly ended = new Set<string>();

  reported(event: Omit<ReportedEvent, 'order' | 'discarded'>): void {
    if (this.events.has(event.id)) throw new Error(`the event ${event.id} was answered to two reports`);
    this.events.set(event.id, { ...event, order: this.events.size, discarded: false });
  }

  granted(customer: string, cents: number): void {
    this.grants.set(customer, (this.grants.get(customer) ?? 0) + cents);
  }
}
