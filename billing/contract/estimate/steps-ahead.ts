import type { Instant } from '../../calendar/instant.ts';
import { CatchingUp } from '../advance/catching-up.ts';
import { closesByCall } from '../period/periods.ts';
import { duesOf } from '../period/schedule.ts';
import type { ContractSnapshot, NewId, Outcome, UsagePeriod, UsageTotal } from '../types.ts';
import type { InvoiceWithLines } from '../work.ts';
import { carryOutAhead, type LooksAhead, looksAfter } from './looks-ahead.ts';
import { successorAhead } from './successor-ahead.ts';

/** The most instants that an estimate carries out in memory: more than a year of a contract by the hour. */
export const MOST_STEPS_AHEAD = 10_000;

/** Everything due for one contract at one instant, carried out in memory. */
export interface StepAhead {
  at: Instant;
  before: ContractSnapshot;
  outcome: Outcome;
  /** the contracts after the step, a new successor among them */
  chain: ContractSnapshot[];
  /** the looks at invoice thresholds that are still to come */
  looks: LooksAhead;
  /** periods that ended on the way and that only a caller closes, each with what was counted in it */
  leftToCaller: LeftToCaller[];
}

/**
 * A usage period that only a call closes: it is taken out of the snapshot, since thousands of them would slow each step
 * down.
 */
export interface LeftToCaller {
  period: UsagePeriod;
  usage: UsageTotal[];
}

/**
 * Carries out in memory what is to come for the contracts of a chain if nothing more happens, instant by instant, each
 * contract's own; of two contracts that are due at the same instant the one with the smaller id comes first. Usage
 * counts as the snapshots say, with nothing more reported.
 *
 * @param chain contracts that have not begun as successors of a pending change are left out
 * @param planned the looks at invoice thresholds that are to come
 */
export function* stepsAhead(chain: readonly ContractSnapshot[], newId: NewId, planned: LooksAhead): Generator<StepAhead, void> {
  let waiting = [...chain];
  let looks = planned;
  const leftToCaller: LeftToCaller[] = [];
  for (;;) {
    const next = firstDue(waiting, looks);
    if (next === null) return;
    const { before, at } = next;
    const outcome = carryOutAhead(before, at, newId, looks, 1);
    looks = looksAfter(before, outcome, at, looks);
    const after = withSuccessor(before, outcome, at).map((one) => (looks.has(one.contract.id) ? one : withoutThoseOf(one, leftToCaller)));
    waiting = waiting.flatMap((one) => (one === before ? after : [one]));
    yield { at, before, outcome, chain: waiting, looks, leftToCaller };
  }
}

function withoutThoseOf(snapshot: ContractSnapshot, leftToCaller: LeftToCaller[]): ContractSnapshot {
  const left = snapshot.periods.filter(closesByCall);
  if (left.length === 0) return snapshot;
  const usage = Map.groupBy(snapshot.usage, ({ periodIdx }) => periodIdx);
  for (const period of left) leftToCaller.push({ period, usage: usage.get(period.idx) ?? [] });
  const isLeft = new Set(left.map(({ idx }) => idx));
  return {
    ...snapshot,
    periods: snapshot.periods.filter(({ idx }) => !isLeft.has(idx)),
    usage: snapshot.usage.filter(({ periodIdx }) => !isLeft.has(periodIdx)),
  };
}

function firstDue(chain: readonly ContractSnapshot[], looks: LooksAhead): { before: ContractSnapshot; at: Instant } | null {
  const dues = chain.flatMap((before) => {
    const at = firstInstant(before, looks);
    return at === null ? [] : [{ before, at }];
  });
  const earlier = (a: (typeof dues)[number], b: (typeof dues)[number]) =>
    a.at < b.at || (a.at === b.at && a.before.contract.id < b.before.contract.id) ? a : b;
  return dues.length === 0 ? null : dues.reduce(earlier);
}

/**
 * When something happens to a contract next, also if that lies in the past and is undone; null: never by itself.
 *
 * @example
 * const { snapshot } = workOn(signs('2025-01-01', plan('pro')), '2025-01-10');
 * const looks = new Map([[snapshot.contract.id, at('2025-01-20')]]);
 * [firstInstant(snapshot, new Map()), firstInstant(snapshot, looks)] // [at('2025-02-01'), at('2025-01-20')]
 */
export function firstInstant({ contract, periods, customer }: ContractSnapshot, looks: LooksAhead): Instant | null {
  const [due] = duesOf(contract, periods, customer.pauses);
  const at = Math.min(due?.at ?? Number.POSITIVE_INFINITY, looks.get(contract.id) ?? Number.POSITIVE_INFINITY);
  return at === Number.POSITIVE_INFINITY ? null : at;
}

/** A contract after a step, followed by the one that the step has made out of it, if any. */
export function withSuccessor(before: ContractSnapshot, outcome: Outcome, at: Instant): ContractSnapshot[] {
  const successor = successorAhead(before, outcome, outcome.snapshot.contract.ended ?? at);
  return successor === null ? [outcome.snapshot] : [outcome.snapshot, successor];
}

/**
 * An estimate begins with a contract that one transaction brings up to now.
 *
 * @throws CatchingUp when more than that is due
 */
export function requireUpToDate({ snapshot: { contract, periods, customer } }: Outcome, now: Instant): void {
  const [next] = duesOf(contract, periods, customer.pauses);
  if (next !== undefined && next.at <= now) throw new CatchingUp(contract.id);
}

/**
 * The invoices that a step would write, with their lines in their order.
 *
 * @example
 * const { snapshot, newId } = workOn(signs('2025-01-01', plan('pro', { price: '100' })), '2025-01-10');
 * invoicesMade(advance(snapshot, at('2025-02-01'), newId))[0].lines.map(({ subtotal }) => subtotal) // ['100.00']
 */
export function invoicesMade({ effects }: Outcome): InvoiceWithLines[] {
  const lines = new Map([...effects.takenUp, ...effects.lines].map((line) => [line.id, line]));
  return effects.invoices.map((invoice) => ({ invoice, lines: invoice.lineIds.flatMap((id) => lines.get(id) ?? []) }));
}
