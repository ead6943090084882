import type { Instant } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import { leavesChangeAsItIs } from '../../billing/contract/change/undisturbed.ts';
import { figuresOf, nextCycleStart } from '../../billing/contract/charge/figures.ts';
import { movedChains } from '../../billing/contract/mrr/moved-chains.ts';
import { mrrMoves } from '../../billing/contract/mrr/moves.ts';
import { closesByCall } from '../../billing/contract/period/periods.ts';
import { agendaOf } from '../../billing/contract/period/schedule.ts';
import { planName } from '../../billing/contract/period/sources.ts';
import { isLive } from '../../billing/contract/period/time.ts';
import type { AgendaRow, Contract, ContractSnapshot, Effects, Outcome } from '../../billing/contract/types.ts';
import { type ContractAgenda, replaceAgenda } from '../../db/agenda/contract-rows.ts';
import type { Queryable, Tx } from '../../db/connect.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { InvoiceItem } from '../../db/entities/invoice.ts';
import { UsagePeriodRecord } from '../../db/entities/usage.ts';
import { bookMrr } from '../../db/mrr/book.ts';
import { type EndingCredits, endingCredits } from '../../db/sql/credit/ending.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { voidWaiting } from '../../db/sql/invoice/void-waiting.ts';
import { markCorrections } from '../../db/sql/usage/mark-corrections.ts';
import { moveClosedEnds } from '../../db/sql/usage/move-closed-ends.ts';
import { insertMany, type NewRow, updateMany, upsertMany } from '../../db/sql/write-many.ts';
import { together } from '../../db/together.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { givePlanCredits } from '../credit/plan-given.ts';
import { emailTrialEnds } from '../email/plan.ts';
import type { GatePayment } from '../invoice/gate-payment.ts';
import { issueInvoices, lineRow } from '../invoice/issue.ts';
import { dropGate } from '../payment-gate/end.ts';
import type { LastOn } from '../wallet/move.ts';
import { lastingOn, moveCreditsAfter } from './credits.ts';
import { handOver } from './handover.ts';
import { planLooksAfter } from './plan-threshold.ts';
import { writeUsageOwners } from './usage-owners.ts';

/** A rule's outcome with the snapshot it was computed from and the instant it is written at. */
export interface Decided {
  before: ContractSnapshot;
  outcome: Outcome;
  at: Instant;
  /** the money of a payment gate, where that makes it */
  payment?: GatePayment;
  /** the rule has looked at the invoice threshold */
  looks?: boolean;
}

/**
 * Writes what rules decided for any number of contracts, in one transaction or not at all. The unique keys refuse
 * whatever was written before; the contracts' rows are locked by the caller, so a second run of the same step decides
 * nothing and writes nothing. Chains whose next instant, or what an operator sees of them, has changed are signalled.
 */
export async function writeEffects(tx: Tx, decided: readonly Decided[]): Promise<void> {
  const touched = decided.filter(({ outcome }) => changesAnything(outcome.effects));
  if (touched.length === 0) return;
  await dropGatesOf(tx, touched);
  const known = contractsOf(touched);
  const contractOf = (id: string | null): Known => known.get(id ?? '') ?? missing(id);
  const effects = touched.map(({ outcome }) => outcome.effects);
  const handovers = effects.flatMap((one) => one.handovers);
  const invoices = effects.flatMap((one) =>
    one.invoices.map((invoice) => ({ invoice, takenUp: one.takenUp, ...contractOf(invoice.contractId) })),
  );
  const surpluses = touched.flatMap(({ before, outcome }) =>
    outcome.effects.wallet.map((move) => ({ move, ...contractOf(before.contract.id) })),
  );
  const undone = effects.flatMap((one) => one.undone);
  const grants = effects.flatMap((one) => one.grants.map((grant) => ({ ...grant, ...contractOf(grant.contractId) })));
  let ending: EndingCredits[] = [];
  const { rows, placed } = linesOf(touched);
  signalChains(
    tx,
    touched.filter(movesSchedule).map(({ before }) => before.contract.rootId),
  );
  const gatePayment = touched.find(({ payment }) => payment !== undefined)?.payment;
  const issue = (lastOn?: LastOn) => issueInvoices(tx, invoices, surpluses, placed, gatePayment, lastOn);
  const hasCredits = grants.length > 0 || touched.some(movesCredits);
  if (tx.sendsMail) await emailTrialEnds(tx, touched.flatMap(eventsOf));
  await together(tx, [
    () => writeContracts(tx, touched, contractOf),
    () =>
      upsertMany(
        tx,
        UsagePeriodRecord,
        effects.flatMap((one) => one.periods),
      ),
    () =>
      moveClosedEnds(
        tx,
        effects.flatMap((one) => one.movedEnds),
      ),
    () => insertMany(tx, InvoiceItem, rows),
    async () => {
      if (undone.length > 0) await voidWaiting(tx, undone);
    },
    () =>
      markCorrections(
        tx,
        touched.flatMap(({ outcome, at }) => outcome.effects.chargedCorrections.map((one) => ({ ...one, at }))),
      ),
    async () => {
      if (handovers.length > 0) await handOver(tx, handovers, contractOf);
    },
    () => writeOwners(tx, touched),
    () =>
      writeAgenda(
        tx,
        touched.flatMap((one) => agendaAfter(one, (id) => contractOf(id).contract)),
      ),
    () =>
      publish(
        tx,
        touched.flatMap(({ before, outcome }) => outcome.effects.events.map((event) => ({ ...event, vendorId: before.contract.vendorId }))),
      ),
    () => bookMrr(tx, movedChains(touched), mrrMoves),
    async () => {
      ending = await endingCredits(tx, touched.filter(isStepping).map(customerAt));
    },
    ...(hasCredits ? [] : [() => issue()]),
  ]);
  if (hasCredits) {
    // they may pay these very invoices, and so may what lasts on of those that end
    await givePlanCredits(tx, grants);
    await issue(lastingOn(tx, touched, ending));
  }
  if (ending.length > 0 || hasCredits) await moveCreditsAfter(tx, touched, ending);
  const gated = touched.filter(({ before, outcome }) => before.contract.gate !== null && !leavesChangeAsItIs(before, outcome));
  if (gated.length > 0) await planLooksAfter(tx, gated);
}

/** Whether a period closes or begins: credits that only waited for this expire. */
const isStepping = ({ before, outcome }: Decided): boolean => before.customer.status !== 'inactive' && outcome.effects.periods.length > 0;
const customerAt = ({ before, at }: Decided): EndingCredits => ({
  customerId: before.customer.id,
  currency: before.contract.terms.currency,
  at,
});
const movesCredits = ({ before, outcome }: Decided): boolean =>
  outcome.effects.creditsBack.length > 0 || before.contract.terms.credits != null;

/**
 * Ends the payment gates of contracts that are written, since a gated change was computed from what they were; only
 * charges on demand leave a gate open.
 */
async function dropGatesOf(tx: Tx, decided: readonly Decided[]): Promise<void> {
  for (const { before, outcome, at } of decided) {
    const { gate } = before.contract;
    if (gate === null || outcome.effects.contracts.length === 0 || leavesChangeAsItIs(before, outcome)) continue;
    await dropGate(tx, gate.contractId, { reason: 'contract_changed', at, pays: before.customer.status !== 'inactive' });
  }
}

/** The agenda that a rule gives contracts; a planned look stays where the rule hasn't looked at the threshold. */
function agendaAfter({ outcome, looks = false }: Decided, contractOf: (id: string) => Contract): ContractAgenda[] {
  const { effects, snapshot } = outcome;
  return effects.agenda.map(({ contractId, rows }) => ({
    contract: contractOf(contractId),
    rows,
    isLookedAt: looks && contractId === snapshot.contract.id,
  }));
}

const eventsOf = ({ before, outcome }: Decided) => outcome.effects.events.map((event) => ({ ...event, customerId: before.customer.id }));

interface Known {
  contract: Contract;
  pauses: Pause[];
  pays: boolean;
}

function missing(id: string | null): never {
  throw new Error(`effects name the contract ${id}, which they neither contain nor were computed from`);
}

function changesAnything(effects: Effects): boolean {
  return Object.values(effects).some((part) => part.length > 0);
}

/** Every contract that was read or decided about, in its latest state. */
function contractsOf(decided: readonly Decided[]): Map<string, Known> {
  const known = new Map<string, Known>();
  for (const { before, outcome } of decided) {
    const { pauses } = outcome.snapshot.customer;
    // what was due before a freeze is still collected, and what is due after it again
    const pays = before.customer.status !== 'inactive' || outcome.snapshot.customer.status !== 'inactive';
    const states = [before.contract, before.successor, outcome.snapshot.contract, outcome.snapshot.successor, ...outcome.effects.contracts];
    for (const contract of states) {
      if (contract !== null) known.set(contract.id, { contract, pauses, pays });
    }
  }
  return known;
}

/** A contract as it is written: with what lists filter by and show of it. */
export function contractRow(contract: Contract, pauses: Pause[]): NewRow<typeof ContractRecord> {
  const { originalPlanId: planId, pricingId, cycle, currency } = contract.terms;
  const known = { planId, planName: planName(contract.terms), pricingId, cycle, currency };
  // whatever a rule writes ends a gate that was open; `writeContracts` keeps it where it goes on
  return { ...contract, gate: null, ...known, ...figuresOf(contract, pauses) };
}

/**
 * Contracts that end are written first: a customer has one live contract of a plan, so its place has to be free before
 * another takes it.
 */
async function writeContracts(tx: Queryable, decided: readonly Decided[], contractOf: (id: string) => Known): Promise<void> {
  const known = decided.flatMap(({ outcome }) => outcome.effects.contracts.map(({ id }) => contractOf(id)));
  const before = new Map(decided.map((one) => [one.before.contract.id, one.before.contract]));
  const open = new Set(decided.filter(({ before, outcome }) => leavesChangeAsItIs(before, outcome)).map((one) => one.before.contract.id));
  const toClose = withUsageToClose(decided);
  const usageToClose = ({ contract: { id } }: Known) => toClose.has(id);
  const rowOf = (one: Known) => ({
    ...withoutTerms(one),
    ...(open.has(one.contract.id) ? { gate: one.contract.gate } : {}),
    usageToClose: usageToClose(one),
  });
  const [steps, others] = partition(known, ({ contract }) => isStep(contract, before.get(contract.id)));
  const parts = [false, true].flatMap((live) => {
    const some = others.filter(({ contract }) => isLive(contract) === live);
    const [sameTerms, rest] = partition(some, ({ contract }) => hasSameTerms(contract, before.get(contract.id)));
    const fresh = rest.map((one) => ({ ...contractRow(one.contract, one.pauses), usageToClose: usageToClose(one) }));
    return [() => updateMany(tx, ContractRecord, sameTerms.map(rowOf)), () => upsertMany(tx, ContractRecord, fresh)];
  });
  await together(tx, [() => updateMany(tx, ContractRecord, steps.map(stepOf)), ...parts]);
}

/** Contracts that have ended, of which a usage period isn't closed once this is written. */
function withUsageToClose(decided: readonly Decided[]): Set<string> {
  return new Set(
    decided.flatMap(({ before, outcome: { effects } }) => {
      const ended = new Set([before.contract, ...effects.contracts].filter((one) => !isLive(one)).map(({ id }) => id));
      if (ended.size === 0) return [];
      const periods = new Map([...before.periods, ...effects.periods].map((one) => [`${one.contractId} ${one.idx}`, one]));
      return [...periods.values()].flatMap(({ contractId, status }) => (ended.has(contractId) && status !== 'closed' ? [contractId] : []));
    }),
  );
}

/**
 * The only fields that a new period changes in a contract; with them changes one figure, the start of the next cycle.
 */
const STEPS: ReadonlySet<string> = new Set<keyof Contract>(['currentIdx', 'customCharged']);

function stepOf({ contract, pauses }: Known) {
  const { id, currentIdx, customCharged } = contract;
  return { id, currentIdx, customCharged, nextCycleStart: nextCycleStart(contract, pauses) };
}

/**
 * Whether a contract has only moved to its next period. The values are compared by identity, since rules keep what they
 * don't change.
 */
function isStep(contract: Contract, before: Contract | undefined): boolean {
  if (before === undefined || contract.currentIdx === before.currentIdx) return false;
  return Object.entries(contract).every(([field, value]) => STEPS.has(field) || value === before[field as keyof Contract]);
}

/**
 * Whether terms, settings and discount are unchanged. They are most of a contract's row, and most steps leave them
 * alone.
 */
function hasSameTerms(contract: Contract, before: Contract | undefined): boolean {
  return (
    contract.terms === before?.terms &&
    contract.configuration === before.configuration &&
    contract.changeRules === before.changeRules &&
    contract.pauseRules === before.pauseRules &&
    contract.discount === before.discount
  );
}

function withoutTerms({ contract, pauses }: Known) {
  const { terms: _t, configuration: _c, changeRules: _ch, pauseRules: _p, discount: _d, ...row } = contractRow(contract, pauses);
  return row;
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

/** Lines as they are written, and the ids of those that are written with their invoice. */
function linesOf(decided: readonly Decided[]): { rows: ReturnType<typeof lineRow>[]; placed: Set<string> } {
  const placed = new Set<string>();
  const rows = decided.flatMap(({ before, outcome, at }) => {
    const places = new Map(outcome.effects.invoices.flatMap((invoice) => invoice.lineIds.map((id) => [id, invoice] as const)));
    return outcome.effects.lines.map((line, position) => {
      const invoice = places.get(line.id);
      if (invoice !== undefined) placed.add(line.id);
      return lineRow(line, before.contract, invoice?.date ?? at, position, invoice?.id ?? null);
    });
  });
  return { rows, placed };
}

/** What a chain owns changes only where a contract begins, ends or changes its terms; a rollover leaves it alone. */
async function writeOwners(tx: Queryable, decided: readonly Decided[]): Promise<void> {
  const moved = decided.filter(({ before, outcome }) => {
    const after = outcome.snapshot.contract;
    return outcome.effects.contracts.length > 1 || isLive(after) !== isLive(before.contract) || after.id !== before.contract.id;
  });
  const contracts = moved.flatMap(({ outcome }) => outcome.effects.contracts);
  if (contracts.length > 0) await writeUsageOwners(tx, contracts);
}

/** Writes agendas. A look at the threshold that goes with them was something to come, so its chain is signalled. */
export async function writeAgenda(tx: Tx, agenda: readonly ContractAgenda[]): Promise<void> {
  signalChains(tx, await replaceAgenda(tx, agenda));
}

/** A bill run signals nobody: the chain's own timer, which fires a little later, finds what was done. */
function signalChains(tx: Tx, rootIds: readonly string[]): void {
  if (tx.actor === 'bill_run') return;
  for (const rootId of rootIds) if (rootId !== tx.within) enqueue(tx, 'contract', rootId);
}

/** Whether the next instant of a contract, or what its workflow shows of it, has changed. */
function movesSchedule({ before, outcome }: Decided): boolean {
  if (outcome.effects.contracts.some(({ id }) => id !== before.contract.id)) return true;
  // lines that wait for an invoice which only a call makes
  if (outcome.effects.lines.length > 0 && before.contract.configuration.invoiceTrigger !== 'immediate') return true;
  const own = outcome.effects.agenda.find(({ contractId }) => contractId === before.contract.id);
  if (own === undefined) return false;
  const rows = agendaOf(before.contract, before.periods, before.customer.pauses);
  const shown = ({ contract, customer, periods }: ContractSnapshot, due: readonly AgendaRow[]) =>
    JSON.stringify([
      contract.status,
      contract.currentIdx,
      contract.parkedReason,
      customer.status,
      // what only a call closes is on no agenda, and its workflow can't end before it is closed
      periods.find(closesByCall)?.idx ?? null,
      due.map(({ kind, dueAt }) => [kind, dueAt]),
    ]);
  return shown(before, rows) !== shown(outcome.snapshot, own.rows);
}
