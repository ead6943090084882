import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { chargeCorrections } from '../charge/close.ts';
import { invoiceFresh, linesWaitingFor } from '../invoice-fresh.ts';
import { noteMrr } from '../mrr/note.ts';
import { refreshPeriods } from '../period/periods.ts';
import { nextDue } from '../period/schedule.ts';
import { isLive } from '../period/time.ts';
import type { Contract, ContractSnapshot, NewId, Outcome } from '../types.ts';
import { finish, openWork, payerOf, putPauses, type Work } from '../work.ts';
import { CatchingUp, mostInstantsOf } from './catching-up.ts';
import { completeSigning, perform } from './steps.ts';

/** Bounds one run: a contract that is very late is advanced in several transactions. */
export interface AdvanceLimit {
  /** the most instants to carry out; none is skipped, the rest stays on the agenda */
  instants: number;
}

/**
 * Carries out everything that is due for a contract up to and including `upTo`, in order. All that can be invoiced at
 * one instant is on one invoice dated at that instant. Run again, it changes nothing.
 *
 * @param upTo the instant up to which the contract is advanced
 * @example
 * const { snapshot, newId } = workOn(signs('2025-01-01', plan('pro', { price: '100' })), '2025-01-10');
 * const { effects } = advance(snapshot, at('2025-03-01'), newId);
 * effects.invoices.map(({ date }) => date) // [at('2025-02-01'), at('2025-03-01')]
 */
export function advance(
  snapshot: ContractSnapshot,
  upTo: Instant,
  newId: NewId,
  limit: AdvanceLimit = { instants: Number.POSITIVE_INFINITY },
): Outcome {
  const work = openWork(snapshot, newId);
  run(work, upTo, limit);
  return finish(work);
}

/**
 * `advance` within the work of another rule, which can go on only from a contract that is up to date: without a limit,
 * a run that would carry out more than 50 instants is refused.
 *
 * @throws CatchingUp without a limit, for a contract that is later than that
 * @example
 * const work = workOn(signs('2025-01-01', plan('pro', { price: '100' })), '2025-01-10');
 * run(work, at('2025-03-01'));
 * work.invoices.map(({ total }) => total) // ['100.00', '100.00']
 */
export function run(work: Work, upTo: Instant, limit: AdvanceLimit | null = null): void {
  completeSigning(work, upTo);
  // a freeze while the contract was parked has moved its periods
  refreshPeriods(work);
  let instant: Instant | null = null;
  for (let done = 0; ; ) {
    const due = nextDue(work.snapshot);
    // Once the end of a freeze is known, something may turn out to have been due before the last instant: it is carried
    // out at the last instant, since time never runs back.
    const at: Instant = due === undefined ? Number.POSITIVE_INFINITY : Math.max(due.at, instant ?? due.at);
    const isOver = due === undefined || at > upTo;
    if (instant !== null && (isOver || at > instant)) {
      endInstant(work, instant);
      noteFreezes(work, instant, Math.min(at, upTo));
      done += 1;
      if (limit !== null && done >= limit.instants && !isWithinFreeze(work, at)) return;
      if (limit === null && done >= mostInstantsOf(work.snapshot.contract) && !isOver) throw new CatchingUp(work.snapshot.contract.id);
    }
    if (isOver) break;
    asOf(work, at, () => perform(work, due, at));
    instant = at;
  }
  refreshPeriods(work);
}

/**
 * Carries out a step with only the freezes that had begun by its instant: a later freeze moves what is charged here
 * when its own turn comes. Only a contract that is advanced late knows of later freezes.
 */
function asOf(work: Work, at: Instant, act: () => void): void {
  const { pauses } = work.snapshot.customer;
  const then = pauses.filter(({ from }) => from < at);
  if (then.length === pauses.length) {
    act();
    return;
  }
  putPauses(work, then);
  refreshPeriods(work);
  act();
  putPauses(work, pauses);
  refreshPeriods(work);
}

function endInstant(work: Work, at: Instant): void {
  asOf(work, at, () => {
    flush(work, at);
    noteMrrAt(work, at, work.snapshot.customer.pauses);
  });
}

/**
 * Whether an instant lies in a freeze that has ended by now. A limited run doesn't stop there: the next run would not
 * know that this one has noted the freeze in the MRR. In a freeze only usage periods are closed, so there are few such
 * instants.
 */
const isWithinFreeze = ({ snapshot }: Work, at: Instant): boolean =>
  snapshot.customer.pauses.some(({ from, to }) => to !== null && from < at && at <= to);

/**
 * Notes how the MRR changed between two instants because freezes began or ended, each change at its own instant. A
 * contract that was changed leaves this to its successor.
 */
function noteFreezes(work: Work, from: Instant, until: Instant): void {
  const { contract, customer } = work.snapshot;
  if (contract.status === 'moved') return;
  const { pauses } = customer;
  const instants = pauses.flatMap((pause) => (pause.to === null ? [] : [pause.from, pause.to])).filter((at) => at >= from && at < until);
  for (const at of instants.sort((a, b) => a - b))
    noteMrrAt(
      work,
      at,
      pauses.filter((pause) => pause.from <= at),
    );
}

/** @param begun the freezes that have begun by the instant, of which some have ended since */
function noteMrrAt(work: Work, at: Instant, begun: readonly Pause[]): void {
  const { snapshot } = work;
  const pauses = begun.map(({ from, to }) => ({ from, to: to !== null && to > at ? null : to }));
  noteMrr(work.mrr, pauses.length === 0 ? snapshot : { ...snapshot, customer: { ...snapshot.customer, pauses } }, at);
}

/**
 * Puts the lines of an instant on invoices, one per contract, except where a contract's lines wait to be invoiced;
 * corrections that waited are added to the contract's own invoice. Where a contract has ended, nothing waits any more.
 *
 * @example
 * const work = workOn(signs('2025-06-01', plan('pro', { price: '100' })), '2025-06-16');
 * giveBack(work, work.snapshot.contract, at('2025-06-16'));
 * flush(work, at('2025-06-16'));
 * work.wallet.map(({ amount }) => amount) // ['50.00']
 */
export function flush(work: Work, at: Instant): void {
  const ownId = work.snapshot.contract.id;
  const ids = new Set(work.fresh.map((line) => payerOf(work, line)).sort((a, b) => Number(b === ownId) - Number(a === ownId)));
  if (ids.has(ownId)) chargeCorrections(work, at);
  if (!isLive(work.snapshot.contract) && linesWaitingFor(work, work.snapshot.contract).length > 0) ids.add(ownId);
  for (const id of ids) invoiceFresh(work, contractOf(work, id), at);
}

function contractOf({ snapshot, contracts }: Work, id: string | null): Contract {
  const contract = id === snapshot.contract.id ? snapshot.contract : contracts.get(id ?? '');
  if (!contract) throw new Error(`lines of contract ${id} without the contract`);
  return contract;
}
