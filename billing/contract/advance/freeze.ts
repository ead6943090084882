import type { Instant } from '../../calendar/instant.ts';
import { customerMachine } from '../../lifecycle/customer.ts';
import { next } from '../../lifecycle/machine.ts';
import { movePending } from '../change/pending.ts';
import { lookAtThreshold } from '../charge/threshold.ts';
import { moveClosedEnd, refreshPeriods } from '../period/periods.ts';
import { isFrozen } from '../period/time.ts';
import type { ContractSnapshot, NewId, Outcome } from '../types.ts';
import { finish, openWork, touch } from '../work.ts';
import { run } from './advance.ts';

/**
 * Freezes a contract with its customer: everything due up to now happens first, then nothing more becomes due except
 * the closing of periods that ended before. Freezing twice changes nothing. The pause is in the snapshot's customer;
 * the caller writes it once for all of the customer's contracts.
 *
 * @example
 * const { snapshot, newId } = workOn(signs('2025-01-01', plan('pro')), '2025-01-10');
 * const frozen = planFreeze(snapshot, at('2025-01-10'), newId);
 * cycleEnd(frozen.snapshot.contract, frozen.snapshot.customer.pauses) // null
 */
export function planFreeze(snapshot: ContractSnapshot, now: Instant, newId: NewId): Outcome {
  const work = openWork(snapshot, newId);
  run(work, now);
  if (!isFrozen(work.snapshot.customer.pauses)) {
    const { customer } = work.snapshot;
    const status = next(customerMachine, customer.status, 'freeze');
    work.snapshot = { ...work.snapshot, customer: { ...customer, status, pauses: [...customer.pauses, { from: now, to: null }] } };
    touch(work, work.snapshot.contract);
    refreshPeriods(work);
  }
  return finish(work);
}

/**
 * Ends the freeze of a contract with its customer: every later boundary, trial end, expiration and change moves by the
 * frozen time; an activation that fell into the freeze happens now, and usage that has come to the invoice threshold is
 * invoiced. Activating an active customer changes nothing.
 *
 * @example
 * const { snapshot, newId } = workOn(signs('2025-01-01', plan('pro')), '2025-01-10');
 * const frozen = planFreeze(snapshot, at('2025-01-10'), newId);
 * const active = planUnfreeze(frozen.snapshot, at('2025-01-15'), newId);
 * cycleEnd(active.snapshot.contract, active.snapshot.customer.pauses) // at('2025-02-06')
 */
export function planUnfreeze(snapshot: ContractSnapshot, now: Instant, newId: NewId): Outcome {
  const work = openWork(snapshot, newId);
  run(work, now);
  const { customer } = work.snapshot;
  if (isFrozen(customer.pauses)) {
    const pauses = customer.pauses.map(({ from, to }) => ({ from, to: to ?? now }));
    const status = next(customerMachine, customer.status, 'activate');
    work.snapshot = { ...work.snapshot, customer: { ...customer, status, pauses: pauses.filter(({ from, to }) => to > from) } };
    touch(work, work.snapshot.contract);
    moveClosedEnd(work);
    run(work, now);
    movePending(work);
    lookAtThreshold(work, now);
  }
  return finish(work);
}
