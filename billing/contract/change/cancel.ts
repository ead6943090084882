import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { refuse } from '../../refusal.ts';
import { flush, run } from '../advance/advance.ts';
import { end } from '../advance/steps.ts';
import { cycleEnd, isLive, rhythmCycle } from '../period/time.ts';
import { requireActiveCustomer, requireLive } from '../terms/require.ts';
import type { Contract, ContractSnapshot, EndReason, NewId, Outcome, When } from '../types.ts';
import { addEvent, amend, finish, openWork, type Work } from '../work.ts';
import { extend } from './extend.ts';
import { dropPending } from './pending.ts';

/** A request to end a contract. */
export interface CancelRequest {
  when: { type: 'now' } | { type: 'end_of_cycle' } | { type: 'date'; date: Instant };
  /** gives back the unused part to the wallet; default false */
  credit: boolean;
  notes: string | null;
}

/**
 * Cancels a contract now, at the end of its cycle (in a trial: at the trial's end) or on a date. Usage so far is
 * charged. A cancellation that waits replaces an earlier one. A contract that hasn't begun ends at once unless a date
 * is given.
 *
 * @throws Refusal `contract_ended`, `customer_frozen`, `past_date`, `cycle_end_unknown`
 * @example
 * const story = signs('2025-06-01', plan('pro', { price: '100' }));
 * const request = { when: { type: 'now' }, credit: true, notes: null };
 * story.does('2025-06-16', (snapshot, now, newId) => planCancellation(snapshot, request, now, newId));
 * invoicesOf(story).at(-1) // '2025-06-16 0.00: credit plan -50.00, wallet 50.00'
 */
export function planCancellation(snapshot: ContractSnapshot, { when, credit, notes }: CancelRequest, now: Instant, newId: NewId): Outcome {
  requireActiveCustomer(snapshot);
  const work = openWork(snapshot, newId);
  run(work, now);
  const { contract, customer } = work.snapshot;
  requireLive(contract);
  if (when.type === 'date' && when.date < now) refuse('past_date', 'give a date from now on', 'when.date');
  const begun = contract.status === 'active';
  if (when.type === 'now' || (when.type === 'date' && when.date === now) || (when.type === 'end_of_cycle' && !begun)) {
    endNow(work, now, 'canceled', { credit, notes });
    return finish(work);
  }
  const waiting: When = when.type === 'date' ? { type: 'date', at: when.date, setAt: now } : atCycleEnd(contract, customer.pauses);
  amend(work, { cancellation: { when: waiting, credit, requestedAt: now, notes } });
  addEvent(work, 'v1.contract.cancellation.scheduled', contract.id, now, { credit });
  extend(work, now);
  flush(work, now);
  return finish(work);
}

/**
 * Cancels a contract now because an invoice of its chain stayed unpaid. Nothing is given back: what was charged stays
 * owed. One that has ended stays as it is.
 *
 * @example
 * const story = signs('2025-01-01', plan('pro', { price: '100' }));
 * story.does('2025-01-08', planUnpaidEnd);
 * story.contract().status // 'canceled'
 */
export function planUnpaidEnd(snapshot: ContractSnapshot, now: Instant, newId: NewId): Outcome {
  const work = openWork(snapshot, newId);
  run(work, now);
  if (isLive(work.snapshot.contract)) endNow(work, now, 'unpaid', { credit: false, notes: null });
  return finish(work);
}

function endNow(work: Work, now: Instant, reason: EndReason, { credit, notes }: Pick<CancelRequest, 'credit' | 'notes'>): void {
  amend(work, { cancellation: { when: { type: 'date', at: now, setAt: now }, credit, requestedAt: now, notes } });
  end(work, now, reason, credit);
  // Usage whose policy is to close at once closes here, on the same invoice.
  run(work, now);
  flush(work, now);
}

function atCycleEnd(contract: Contract, pauses: Pause[]): When {
  if (cycleEnd(contract, pauses) === null)
    refuse('cycle_end_unknown', 'the contract has no end of cycle; give "now" or a date', 'when.type');
  return { type: 'boundary', n: rhythmCycle(contract, (contract.currentIdx ?? 0) + 1) };
}

/**
 * Takes back a cancellation that waits; the contract goes on as if it had never been asked for. What a change charged
 * only up to that end is charged for the rest of the period too.
 *
 * @throws Refusal `no_cancellation`, `contract_ended`, `customer_frozen`
 * @example
 * const story = signs('2025-01-01', plan('pro', { price: '100' }));
 * const request = { when: { type: 'end_of_cycle' }, credit: false, notes: null };
 * story.does('2025-01-10', (snapshot, now, newId) => planCancellation(snapshot, request, now, newId));
 * story.does('2025-01-20', planCancelUndo);
 * story.advance('2025-02-01');
 * invoicesOf(story) // ['2025-01-01 100.00: plan 100.00', '2025-02-01 100.00: plan 100.00']
 */
export function planCancelUndo(snapshot: ContractSnapshot, now: Instant, newId: NewId): Outcome {
  requireActiveCustomer(snapshot);
  const work = openWork(snapshot, newId);
  run(work, now);
  requireLive(work.snapshot.contract);
  if (work.snapshot.contract.cancellation === null) refuse('no_cancellation', 'no cancellation is waiting');
  const { id } = amend(work, { cancellation: null });
  addEvent(work, 'v1.contract.cancellation.undone', id, now);
  extend(work, now);
  flush(work, now);
  return finish(work);
}

/**
 * Drops a change that waits; its scheduled contract is canceled.
 *
 * @throws Refusal `no_pending_change`, `contract_ended`, `customer_frozen`
 * @example
 * const story = signs('2025-01-01', plan('pro', { price: '100' }));
 * changes(story, '2025-01-10', toPlan(plan('basic', { price: '40' })));
 * story.does('2025-01-20', planChangeUndo);
 * story.advance('2025-02-01');
 * invoicesOf(story) // ['2025-01-01 100.00: plan 100.00', '2025-02-01 100.00: plan 100.00']
 */
export function planChangeUndo(snapshot: ContractSnapshot, now: Instant, newId: NewId): Outcome {
  requireActiveCustomer(snapshot);
  const work = openWork(snapshot, newId);
  run(work, now);
  requireLive(work.snapshot.contract);
  if (work.snapshot.contract.pendingChange === null) refuse('no_pending_change', 'no change is waiting');
  const dropped = dropPending(work, now);
  addEvent(work, 'v1.contract.change.undone', work.snapshot.contract.id, now, { successorId: dropped?.id ?? null });
  return finish(work);
}
