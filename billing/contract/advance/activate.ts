import type { Instant } from '../../calendar/instant.ts';
import { contractMachine } from '../../lifecycle/contract.ts';
import { next } from '../../lifecycle/machine.ts';
import { BillingError } from '../../problem.ts';
import { refuse } from '../../refusal.ts';
import { expirationAt, plannedTrialEnd } from '../period/time.ts';
import { requireActiveCustomer, requireLive } from '../terms/require.ts';
import type { ContractSnapshot, NewId, Outcome } from '../types.ts';
import { addEvent, amend, finish, openWork } from '../work.ts';
import { run } from './advance.ts';

/**
 * Activates a pending contract now, or schedules its activation.
 *
 * @param activation null = now
 * @throws Refusal `contract_not_pending`, `contract_ended`, `customer_frozen`, `past_date`
 * @throws BillingError `expires_before_activation`
 * @example
 * const story = signs('2025-01-01', plan('pro', { price: '100' }), { isPending: true });
 * story.does('2025-01-05', (snapshot, now, newId) => planActivation(snapshot, null, now, newId));
 * invoicesOf(story) // ['2025-01-05 100.00: plan 100.00']
 */
export function planActivation(snapshot: ContractSnapshot, activation: Instant | null, now: Instant, newId: NewId): Outcome {
  requireActiveCustomer(snapshot);
  const work = openWork(snapshot, newId);
  run(work, now);
  const { contract, customer } = work.snapshot;
  requireLive(contract);
  if (contract.status !== 'pending') refuse('contract_not_pending', `the contract is ${contract.status}, not pending`);
  const at = activation ?? now;
  if (at < now) refuse('past_date', 'give an instant from now on', 'activation');
  const expiration = expirationAt(contract, customer.pauses);
  if (expiration !== null && expiration <= at) {
    throw new BillingError({ field: 'activation', code: 'expires_before_activation', message: 'give an instant before the expiration' });
  }
  // Here the activation only becomes due: `run` carries it out, now or later.
  const status = next(contractMachine, contract.status, 'activate');
  amend(work, { status, activation: at, trialEnd: plannedTrialEnd(at, contract.trialDays) });
  if (at > now) addEvent(work, 'v1.contract.signature.scheduled', contract.id, now, { activation: at });
  run(work, now);
  return finish(work);
}
