import type { Instant } from '../../calendar/instant.ts';
import type { ContractSnapshot, NewId, Outcome } from '../types.ts';
import { finish, openWork, touch } from '../work.ts';
import { run } from './advance.ts';
import { MOST_INSTANTS } from './catching-up.ts';

/**
 * Lets a parked contract go on: everything it missed happens in order, each thing at its own instant, with the freezes of its customer that
 * had begun by then. Its agenda is written anew even when nothing was due, since freezes have passed it by. It has the periods and
 * lines of a contract that was never parked. What is later than 50 instants stays on its agenda.
 *
 * @param life the contract without its reason to be parked
 * @example monthly from 1 Jan, parked on 5 Jan, frozen 10–15 Jan, resumed on 10 March: cycles begin on 6 Feb and 6 March
 */
export function planResume(snapshot: ContractSnapshot, now: Instant, newId: NewId): Outcome {
  const work = openWork(snapshot, newId);
  run(work, now, { instants: MOST_INSTANTS });
  touch(work, work.snapshot.contract);
  return finish(work);
}
