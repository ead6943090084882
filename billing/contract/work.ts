import type { Instant } from '../calendar/instant.ts';
import { type Pause, shift } from '../calendar/pauses.ts';
import type { CreditsBack, PlanGrant } from '../credit/types.ts';
import type { PlainEventType } from '../event-types.ts';
import type { InvoiceContext } from '../invoice/assemble.ts';
import type { ChargedLine, Line, NewInvoice, WalletMove } from '../invoice/types.ts';
import { invoiceMachine } from '../lifecycle/invoice.ts';
import { initialState } from '../lifecycle/machine.ts';
import { type MrrNotes, noteMrr, openMrrNotes } from './mrr/note.ts';
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
  readonly movedEnds: Effects['movedEnds'];
  readonly lines: Line[];
  readonly invoices: NewInvoice[];
  readonly wallet: WalletMove[];
  readonly events: DomainEvent[];
  readonly handovers: Effects['handovers'];
  readonly chargedCorrections: Effects['chargedCorrections'];
  /** lines made at the current instant, not yet on an invoice */
  fresh: Line[];
  /** lines that have waited and are now on an invoice */
  readonly takenUp: Line[];
  /** lines written before that are taken back */
  readonly undone: string[];
  /** contracts whose lines of this instant wait for the next invoice, as the rule of a change says */
  readonly waits: Set<string>;
  /** by line id, the contract that pays, where that is not the line's own: for corrections of predecessors */
  readonly payers: Map<string, string>;
  readonly mrr: MrrNotes;
  /** credits that the plan gives */
  readonly grants: PlanGrant[];
  /** credits of the plan that go back */
  readonly creditsBack: CreditsBack[];
}

/** Begins the work of a rule on a snapshot, which is never changed itself. */
export function openWork(snapshot: ContractSnapshot, newId: NewId): Work {
  return {
    snapshot,
    newId,
    contracts: new Map(),
    periods: new Map(),
    movedEnds: [],
    lines: [],
    invoices: [],
    wallet: [],
    events: [],
    handovers: [],
    chargedCorrections: [],
    fresh: [],
    takenUp: [],
    undone: [],
    waits: new Set(),
    payers: new Map(),
    mrr: openMrrNotes(snapshot),
    grants: [],
    creditsBack: [],
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
export function addEvent(work: Work, type: PlainEventType, objectId: string, at: Instant, data: Record<string, unknown> = {}): void {
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
export function payerOf({ payers }: Work, line: Line): string | null {
  return payers.get(line.id) ?? line.contractId;
}

/**
 * Adds new lines to the snapshot: a later step of the same run may give them back; lines without an invoice wait for
 * one.
 */
export function addToSnapshot(work: Work, contract: Contract, lines: Line[], invoiceId: string | null): void {
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
  noteMrr(work.mrr, snapshot, null);
  const contracts = [...work.contracts.values()];
  const agenda = contracts.map((contract) => ({
    contractId: contract.id,
    rows: agendaOf(contract, openPeriods(work, contract), snapshot.customer.pauses),
  }));
  const effects: Effects = {
    contracts,
    periods: [...work.periods.values()],
    movedEnds: work.movedEnds,
    lines: work.lines,
    invoices: work.invoices,
    takenUp: work.takenUp,
    undone: work.undone,
    wallet: work.wallet,
    events: work.events,
    handovers: work.handovers,
    agenda,
    chargedCorrections: work.chargedCorrections,
    mrr: work.mrr.changes,
    grants: work.grants.map((grant) => movedByFreezes(grant, snapshot.customer.pauses)),
    creditsBack: work.creditsBack,
  };
  return { snapshot, effects };
}

/**
 * Credits that are given late, with the freezes that have begun since their instant: credits given in time were moved
 * by these freezes.
 */
function movedByFreezes(grant: PlanGrant, pauses: readonly Pause[]): PlanGrant {
  const since = pauses.filter(({ from }) => from >= grant.effectiveAt);
  const moved = (at: Instant): Instant => shift(at, since) ?? at;
  const { expiresAt, rollover } = grant;
  if (since.length === 0 || expiresAt === null) return grant;
  return { ...grant, expiresAt: moved(expiresAt), rollover: rollover && { ...rollover, until: moved(rollover.until) } };
}

function openPeriods({ snapshot, periods }: Work, contract: Contract): UsagePeriod[] {
  if (contract.id === snapshot.contract.id) return snapshot.periods;
  return [...periods.values()].filter(({ contractId }) => contractId === contract.id);
}
