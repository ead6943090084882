import type { Instant } from '../calendar/instant.ts';
import type { Pause } from '../calendar/pauses.ts';
import { assembleInvoice, type InvoiceContext } from '../invoice/assemble.ts';
import type { ChargedLine, Line, NewInvoice, WalletMove } from '../invoice/types.ts';
import { invoiceMachine } from '../lifecycle/invoice.ts';
import { initialState } from '../lifecycle/machine.ts';
import { agendaOf } from './period/schedule.ts';
import type { Contract, ContractSnapshot, DomainEvent, Effects, NewId, Outcome, UsagePeriod } from './types.ts';

/**
 * The state of a rule while it runs: the snapshot after each step, and what is to be written in the end. It belongs to
 * one call of a rule, which returns it as an `Outcome`.
 */
export interface Work {
  snapshot: ContractSnapshot;
  readonly newId: NewId;
  /** touched contracts in their last state */
  readonly contracts: Map<string, Contract>;
  /** touched periods in their last state, by contract and idx */
  readonly periods: Map<string, UsagePeriod>;
  readonly lines: Line[];
  readonly invoices: NewInvoice[];
  readonly wallet: WalletMove[];
  readonly events: DomainEvent[];
  readonly handovers: Effects['handovers'];
  readonly chargedCorrections: Effects['chargedCorrections'];
  /** lines made at the current instant, not yet on an invoice */
  fresh: Line[];
  /** by line id, the contract that pays, where that is not the line's own: for corrections of predecessors */
  readonly payers: Map<string, string>;
}

/** Begins the work of a rule on a snapshot, which is never changed itself. */
export function openWork(snapshot: ContractSnapshot, newId: NewId): Work {
  return {
    snapshot,
    newId,
    contracts: new Map(),
    periods: new Map(),
    lines: [],
    invoices: [],
    wallet: [],
    events: [],
    handovers: [],
    chargedCorrections: [],
    fresh: [],
    payers: new Map(),
  };
}

/** Puts a contract in its new state: the snapshot's own, its successor, or one that is no longer part of it. */
export function putContract(work: Work, contract: Contract): void {
  work.contracts.set(contract.id, contract);
  const { snapshot } = work;
  if (contract.id === snapshot.contract.id) work.snapshot = { ...snapshot, contract };
  else if (contract.id === snapshot.successor?.id) work.snapshot = { ...snapshot, successor: contract };
}

/**
 * Changes some fields of the snapshot's contract.
 *
 * @returns the changed contract
 */
export function amend(work: Work, change: Partial<Contract>): Contract {
  const contract = { ...work.snapshot.contract, ...change };
  putContract(work, contract);
  return contract;
}

/** Replaces the customer's freezes in the snapshot. */
export function putPauses(work: Work, pauses: Pause[]): void {
  work.snapshot = { ...work.snapshot, customer: { ...work.snapshot.customer, pauses } };
}

/** Marks a contract as touched, so that its agenda is written again. */
export function touch(work: Work, contract: Contract): void {
  if (!work.contracts.has(contract.id)) work.contracts.set(contract.id, contract);
}

/** Puts a usage period in its new state; a closed one is taken out of the snapshot. */
export function putPeriod(work: Work, period: UsagePeriod): void {
  const { snapshot } = work;
  work.periods.set(`${period.contractId}/${period.idx}`, period);
  if (period.contractId !== snapshot.contract.id) return;
  touch(work, snapshot.contract);
  const others = snapshot.periods.filter(({ idx }) => idx !== period.idx);
  const periods = period.status === 'closed' ? others : [...others, period].sort((a, b) => a.idx - b.idx);
  work.snapshot = { ...snapshot, periods };
}

/** Adds an event, for the event log and webhooks. */
export function addEvent(work: Work, type: string, objectId: string, at: Instant, data: Record<string, unknown> = {}): void {
  work.events.push({ type, objectId, at, data });
}

/**
 * How an invoice of a contract is made at an instant: ready for payment under trigger `immediate`, to be validated
 * under any other.
 */
export function invoiceContext(contract: Contract, at: Instant, newId: NewId): InvoiceContext {
  const { invoiceTrigger, automaticPayment } = contract.configuration;
  return {
    contract,
    date: at,
    status: initialState(invoiceMachine, invoiceTrigger === 'immediate' ? 'issue' : 'issue_for_review'),
    automatic: automaticPayment,
    newId,
  };
}

/** An invoice that was made, or would be, with all its lines. */
export interface InvoiceWithLines {
  invoice: NewInvoice;
  lines: Line[];
}

/**
 * The contract whose invoice takes up a line: the line's own, except for a correction of a predecessor's closed usage.
 */
export function payerOf({ payers }: Work, line: Line): string {
  return payers.get(line.id) ?? line.contractId;
}

/**
 * Puts the fresh lines of a contract on one invoice dated at the instant; with any trigger but `immediate` they wait.
 * Usage lines without units make no invoice by themselves: they are stored for corrections of their period.
 *
 * @returns the invoice written, null when there is none
 * @example
 * const work = workOn(signs('2025-06-01', plan('pro', { price: '100' })), '2025-06-16');
 * const { contract } = work.snapshot;
 * giveBack(work, contract, at('2025-06-16'));
 * const { invoice, lines } = invoiceFresh(work, contract, at('2025-06-16'));
 * invoice.total // '0.00'
 * lines.map(({ subtotal }) => subtotal) // ['-50.00', '50.00']
 */
export function invoiceFresh(work: Work, contract: Contract, at: Instant): InvoiceWithLines | null {
  const lines = work.fresh.filter((line) => payerOf(work, line) === contract.id);
  work.fresh = work.fresh.filter((line) => payerOf(work, line) !== contract.id);
  if (lines.length === 0) return null;
  touch(work, contract);
  if (contract.configuration.invoiceTrigger !== 'immediate') {
    work.lines.push(...lines);
    addToSnapshot(work, contract, lines, null);
    return null;
  }
  const made = assembleInvoice(lines, invoiceContext(contract, at, work.newId));
  if (made === null) {
    work.lines.push(...lines.map((line): Line => ({ ...line, idle: true })));
    return null;
  }
  work.lines.push(...lines);
  work.invoices.push(made.invoice);
  if (made.closing) work.lines.push(made.closing);
  if (made.wallet) work.wallet.push(made.wallet);
  addToSnapshot(work, contract, lines, made.invoice.id);
  return { invoice: made.invoice, lines: made.closing ? [...lines, made.closing] : lines };
}

/**
 * Adds new lines to the snapshot: a later step of the same run may give them back; lines without an invoice wait for
 * one.
 */
function addToSnapshot(work: Work, contract: Contract, lines: Line[], invoiceId: string | null): void {
  const { snapshot } = work;
  if (contract.id !== snapshot.contract.id) return;
  const charged = lines.map((line): ChargedLine => ({ ...line, invoiceId }));
  const running = charged.filter(({ kind, span }) => (kind === 'recurring' || kind === 'custom') && span?.end != null);
  work.snapshot = {
    ...snapshot,
    running: [...snapshot.running, ...running],
    waiting: invoiceId === null ? [...snapshot.waiting, ...charged] : snapshot.waiting,
  };
}

/**
 * The outcome of the work. The agenda of every touched contract is computed here, from its last state.
 *
 * @example
 * const work = workOn(signs('2025-01-01', plan('pro', { price: '100' })), '2025-01-10');
 * run(work, at('2025-02-01'));
 * finish(work).effects.invoices.map(({ total }) => total) // ['100.00']
 */
export function finish(work: Work): Outcome {
  const { snapshot } = work;
  const contracts = [...work.contracts.values()];
  const agenda = contracts.map((contract) => ({
    contractId: contract.id,
    rows: agendaOf(contract, openPeriods(work, contract), snapshot.customer.pauses),
  }));
  const effects: Effects = {
    contracts,
    periods: [...work.periods.values()],
    lines: work.lines,
    invoices: work.invoices,
    wallet: work.wallet,
    events: work.events,
    handovers: work.handovers,
    agenda,
    chargedCorrections: work.chargedCorrections,
  };
  return { snapshot, effects };
}

function openPeriods({ snapshot, periods }: Work, contract: Contract): UsagePeriod[] {
  if (contract.id === snapshot.contract.id) return snapshot.periods;
  return [...periods.values()].filter(({ contractId }) => contractId === contract.id);
}
