import type { Instant } from '../../calendar/instant.ts';
import { contractMachine } from '../../lifecycle/contract.ts';
import { next } from '../../lifecycle/machine.ts';
import { rhythmCycle, whenAt } from '../period/time.ts';
import { unitsForWaiting, withOverrides } from '../terms/terms.ts';
import type { Contract, When } from '../types.ts';
import { amend, putContract, type Work } from '../work.ts';
import type { ChangeRequest } from './change-request.ts';

/**
 * The scheduled contract of a change that was dropped, as canceled.
 *
 * @throws LifecycleError unless it is `scheduled`
 */
export function canceledSuccessor(successor: Contract, at: Instant): Contract {
  return { ...successor, status: next(contractMachine, successor.status, 'replace'), isSuccessor: false, ended: at };
}

/**
 * Removes the change that waits: its scheduled contract is canceled.
 *
 * @returns that contract as it was, null when no change waits
 */
export function dropPending(work: Work, now: Instant): Contract | null {
  const { successor } = work.snapshot;
  if (successor !== null) putContract(work, canceledSuccessor(successor, now));
  work.snapshot = { ...work.snapshot, successor: null };
  amend(work, { pendingChange: null });
  return successor;
}

/**
 * An immediate change of units leaves a pending change of plan, which then takes the new units where its limits allow
 * them.
 */
export function renewPending(work: Work, old: Contract, pending: Contract, { overrides }: ChangeRequest): void {
  const { successor: fresh } = work.snapshot;
  if (fresh === null) return;
  const terms = withOverrides(pending.terms, unitsForWaiting(fresh.terms, overrides, pending.terms), work.newId);
  const pendingChange = old.pendingChange && { ...old.pendingChange, when: whenAfter(old, fresh, old.pendingChange.when, work) };
  putContract(work, { ...fresh, pendingChange });
  const discount = pending.discount?.id === old.discount?.id ? fresh.discount : pending.discount;
  const activation = pendingChange && whenAt(fresh, pendingChange.when, work.snapshot.customer.pauses);
  putContract(work, { ...pending, terms, discount, activation: activation ?? pending.activation, predecessorId: fresh.id });
}

/** After a freeze, the contract that waits for a change shows when this takes place now. */
export function movePending(work: Work): void {
  const { contract, successor, customer } = work.snapshot;
  if (contract.pendingChange === null || successor === null) return;
  const activation = whenAt(contract, contract.pendingChange.when, customer.pauses);
  if (activation !== null) putContract(work, { ...successor, activation });
}

/** Where the change began a new period, the end of the old one is the end of the new; a later boundary is a date. */
function whenAfter(old: Contract, fresh: Contract, when: When, { snapshot }: Work): When {
  if (when.type === 'date' || fresh.start === old.start) return when;
  if (when.n === rhythmCycle(old, (old.currentIdx ?? 0) + 1)) return { type: 'boundary', n: 1 };
  const at = whenAt(old, when, snapshot.customer.pauses);
  return at === null ? { type: 'boundary', n: 1 } : { type: 'date', at, setAt: snapshot.now };
}
