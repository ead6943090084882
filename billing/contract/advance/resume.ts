import type { Instant } from '../../calendar/instant.ts';
import { movePending } from '../change/pending.ts';
import { lookAtThreshold } from '../charge/threshold.ts';
import { restateMrr } from '../mrr/note.ts';
import { moveClosedEnd } from '../period/periods.ts';
import type { ContractSnapshot, NewId, Outcome } from '../types.ts';
import { finish, openWork, touch } from '../work.ts';
import { run } from './advance.ts';
import { mostInstantsOf } from './catching-up.ts';

/**
 * Lets a parked contract go on: everything it missed happens in order, each thing at its own instant, with the freezes
 * of its customer that had begun by then. Afterwards it has the periods and lines of a contract that was never parked.
 * Its agenda is written again even when nothing was due, since freezes in the meantime have moved neither the agenda
 * nor a change that waits. What is left after 50 instants (after one, if credits of its plan roll over) stays on its
 * agenda; if nothing is left, usage that has reached the invoice threshold is invoiced.
 *
 * @param snapshot the contract, no longer marked as parked
 * @example
 * const { snapshot, newId } = workOn(signs('2025-01-01', plan('pro', { price: '100' })), '2025-01-05');
 * const pauses = [{ from: at('2025-01-10'), to: at('2025-01-15') }];
 * const late = { ...snapshot, customer: { ...snapshot.customer, pauses } };
 * const { effects } = planResume(late, at('2025-03-10'), newId);
 * effects.invoices.map(({ date }) => date) // [at('2025-02-06'), at('2025-03-06')]
 */
export function planResume(snapshot: ContractSnapshot, now: Instant, newId: NewId): Outcome {
  const work = openWork(snapshot, newId);
  moveClosedEnd(work);
  run(work, now, { instants: mostInstantsOf(snapshot.contract) });
  movePending(work);
  lookAtThreshold(work, now);
  touch(work, work.snapshot.contract);
  restateMrr(work.mrr, work.snapshot);
  return finish(work);
}
