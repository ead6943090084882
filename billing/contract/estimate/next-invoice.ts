import type { Instant } from '../../calendar/instant.ts';
import { FULL } from '../../calendar/ratio.ts';
import type { PlanGrant } from '../../credit/types.ts';
import type { WalletMove } from '../../invoice/types.ts';
import { dec } from '../../money/decimal.ts';
import { priceAmount } from '../../pricing/amount.ts';
import { advance } from '../advance/advance.ts';
import { MOST_INSTANTS } from '../advance/catching-up.ts';
import { freedomIn } from '../period/cycles-left.ts';
import { duesOf } from '../period/schedule.ts';
import { recurringSources, usageSources } from '../period/sources.ts';
import type { ContractSnapshot, NewId, Outcome, UsagePeriod } from '../types.ts';
import type { InvoiceWithLines } from '../work.ts';
import { carryOutAhead, type LooksAhead, looksAfter } from './looks-ahead.ts';
import { firstInstant, invoicesMade, MOST_STEPS_AHEAD, requireUpToDate, stepsAhead, withSuccessor } from './steps-ahead.ts';

/** The next invoices of a chain of contracts: those of one instant. */
export interface NextInvoices {
  at: Instant;
  /** at least one, in the order in which they are written */
  invoices: InvoiceWithLines[];
  /** what they give back beyond what they charge */
  surplus: WalletMove[];
  /** credits that plans give up to that instant, in the order in which they are given: they pay these invoices too */
  granted: PlanGrant[];
  /** usage periods that close up to that instant: credits may end with them */
  closed: Pick<UsagePeriod, 'contractId' | 'idx'>[];
}

/**
 * Looks for the next invoices of a chain of contracts that aren't written yet, if nothing more happens. It yields after
 * each step, so that the caller may let others work meanwhile. What is due and undone counts: its invoice comes next.
 *
 * @param chain every contract of the chain to which something may come; their usage counts up to the end of all time
 * @param planned looks at their invoice thresholds that are to come
 * @returns null when none will come, as far as 10,000 instants ahead; a contract whose lines wait for a call has none
 * @throws CatchingUp when 50 instants are due and undone without an invoice, and more are
 * @example
 * const story = signs('2025-01-01', plan('pro', { price: '100' }));
 * const { snapshot, newId } = workOn(story, '2025-01-10');
 * const search = searchNextInvoices([snapshot], at('2025-01-10'), newId);
 * const firstStep = search.next();
 * search.next().value.at // at('2025-02-01')
 */
export function* searchNextInvoices(
  chain: readonly ContractSnapshot[],
  now: Instant,
  newId: NewId,
  planned: LooksAhead = new Map(),
): Generator<undefined, NextInvoices | null> {
  const asking = chain.filter(({ contract }) => contract.configuration.invoiceTrigger === 'immediate');
  const late = asking.map((before) => ({ before, outcome: caughtUpOrInvoiced(before, now, newId, planned) }));
  const granted = late.flatMap(({ outcome }) => outcome.effects.grants);
  const closed = late.flatMap(({ outcome }) => closedIn(outcome));
  const overdue = earliest(
    late.map(({ outcome }) => outcome),
    { granted, closed },
  );
  if (overdue !== null) return overdue;
  const looks = late.reduce((left, { before, outcome }) => looksAfter(before, outcome, now, left), planned);
  const upToDate = late.flatMap(({ before, outcome }) => withSuccessor(before, outcome, now));
  if (allComeToNothing(upToDate, looks)) return null;
  let found: Outcome[] = [];
  let foundAt: Instant = Number.POSITIVE_INFINITY;
  let steps = 0;
  for (const step of stepsAhead(upToDate, newId, looks)) {
    if (found.length > 0 && step.at > foundAt) break;
    steps += 1;
    granted.push(...step.outcome.effects.grants);
    closed.push(...closedIn(step.outcome));
    if (step.outcome.effects.invoices.length > 0) {
      found = [...found, step.outcome];
      foundAt = step.at;
    } else if (steps >= MOST_STEPS_AHEAD || allComeToNothing(step.chain, step.looks)) break;
    yield;
  }
  return earliest(found, { granted, closed });
}

const closedIn = ({ effects }: Outcome): NextInvoices['closed'] =>
  effects.periods.flatMap(({ contractId, idx, status }) => (status === 'closed' ? [{ contractId, idx }] : []));

/** If the instants of one transaction make an invoice, it is the next invoice, however much more is due. */
function caughtUpOrInvoiced(before: ContractSnapshot, now: Instant, newId: NewId, looks: LooksAhead): Outcome {
  const isAwaited = (firstInstant(before, looks) ?? Number.POSITIVE_INFINITY) > now;
  const limit = { instants: MOST_INSTANTS };
  const outcome = isAwaited ? advance(before, now, newId, limit) : carryOutAhead(before, now, newId, looks, limit.instants);
  if (outcome.effects.invoices.length === 0) requireUpToDate(outcome, now);
  return outcome;
}

const allComeToNothing = (chain: readonly ContractSnapshot[], looks: LooksAhead): boolean =>
  chain.every((one) => !looks.has(one.contract.id) && comesToNothing(one));

/** @param meanwhile what plans have given, and what has closed */
function earliest(outcomes: readonly Outcome[], { granted, closed }: Pick<NextInvoices, 'granted' | 'closed'>): NextInvoices | null {
  const all = outcomes.flatMap(invoicesMade);
  if (all.length === 0) return null;
  const at = Math.min(...all.map(({ invoice }) => invoice.date));
  return {
    at,
    invoices: all.filter(({ invoice }) => invoice.date === at),
    surplus: outcomes.flatMap(({ effects }) => effects.wallet.filter((move) => move.at === at)),
    granted: granted.filter(({ effectiveAt }) => effectiveAt <= at),
    closed,
  };
}

/**
 * Whether a contract's periods follow each other without ever making an invoice: it charges only usage, none is
 * reported, zero usage costs nothing, and no open period has a charge that its closing would give back.
 */
function comesToNothing({ contract, periods, usage, corrections, customer, billed }: ContractSnapshot): boolean {
  const dues = duesOf(contract, periods, customer.pauses);
  if (dues.length === 0) return true;
  if (dues.some(({ kind }) => kind !== 'boundary' && kind !== 'usage_closing')) return false;
  if (corrections.length > 0 || recurringSources(contract.terms).length > 0) return false;
  // nothing closes by itself
  if (contract.configuration.usagePeriodClosingPolicy === 'manual' && contract.start !== null) return true;
  if (usage.some(({ units }) => !dec(units).isZero()) || periods.some(({ follows }) => follows !== null)) return false;
  if (billed.some((parts) => periods.some(({ contractId, idx }) => parts.contractId === contractId && parts.periodIdx === idx)))
    return false;
  return usageSources(contract.terms).every((source) => {
    const { free, freePart } = freedomIn(contract, contract.currentIdx ?? 1, source, false);
    if (free || freePart !== undefined) return false;
    const { exact, unitCount } = priceAmount(source.price, '0', FULL, contract.terms.currency);
    return exact.isZero() && dec(unitCount).isZero();
  });
}
