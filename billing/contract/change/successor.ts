import { isPeriodic } from '../../calendar/cycle.ts';
import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { contractMachine } from '../../lifecycle/contract.ts';
import { next } from '../../lifecycle/machine.ts';
import { anchorOf, type Begin } from '../period/anchor.ts';
import { transferredCycles } from '../period/cycles-left.ts';
import { withDiscountEnd } from '../period/discount-end.ts';
import { pauseRule } from '../period/pause-rules.ts';
import { cancellationAt, expirationAt, paysInFreezes, trialEndOf } from '../period/time.ts';
import type { Contract } from '../types.ts';

/** The successor as it is from the change on. */
export function successorOf(
  old: Contract,
  successor: Contract,
  at: Instant,
  { boundary, begins = false, pricesLater = false }: Begin,
  pauses: Pause[],
): Contract {
  const anchor = anchorOf(old, successor.terms.cycle, at, { boundary, begins });
  const given = successor.discount?.id !== old.discount?.id;
  // since the change was asked for, the old contract's may have got its end
  const kept = successor.discount && old.discount;
  // its first cycle is the first one that it makes cheaper
  const cyclesBefore = anchor.cyclesBefore + (pricesLater && old.start !== null ? 1 : 0);
  const discount = successor.discount && given ? { ...successor.discount, cyclesBefore } : kept;
  const fresh: Contract = {
    ...successor,
    ...anchor,
    ...transferredCycles(old, { ...successor, discount }, at, boundary, pauses),
    status: next(contractMachine, successor.status, 'take_over'),
    isSuccessor: false,
    predecessorId: old.id,
    rootId: old.rootId,
    activation: at,
    began: at,
    trialDays: old.start === null ? old.trialDays : 0,
    trialEnd: old.start === null ? trialEndOf(old, pauses) : null,
    trialEndingSent: old.trialEndingSent,
    expiration: expirationOf(old, successor, at, pauses),
    cancellation: cancellationOf(old, successor, { at, begins, pauses }),
  };
  return withDiscountEnd(fresh, pauses);
}

/**
 * The expiration goes along. Another pause rule counts from the change: freezes before it have moved the date or not.
 */
export function expirationOf(
  old: Contract,
  { pauseRules }: Pick<Contract, 'pauseRules'>,
  at: Instant,
  pauses: Pause[],
): Contract['expiration'] {
  if (pauseRule(old.pauseRules, 'expiration') === pauseRule(pauseRules, 'expiration')) return old.expiration;
  const moved = expirationAt(old, pauses);
  return moved === null ? old.expiration : { at: moved, setAt: at };
}

/**
 * A cancellation that still waits passes to the new contract. One for the end of the cycle then means the end of the
 * new contract's cycle; `once` and `constant` have no such end, so it is dropped. One with a date keeps it; where
 * freezes move it from now on, or no longer, they count from the change.
 */
function cancellationOf(
  old: Contract,
  successor: Contract,
  { at, begins, pauses }: { at: Instant; begins: boolean; pauses: Pause[] },
): Contract['cancellation'] {
  const { cancellation, start, terms } = old;
  if (cancellation?.when.type === 'date') {
    const date = paysInFreezes(old) === paysInFreezes(successor) ? null : cancellationAt(old, pauses);
    return date === null ? cancellation : { ...cancellation, when: { type: 'date', at: date, setAt: at } };
  }
  const goesOn = successor.terms.cycle === terms.cycle && !begins;
  if (cancellation === null || goesOn || start === null) return cancellation;
  return isPeriodic(successor.terms.cycle) ? { ...cancellation, when: { type: 'boundary', n: 1 } } : null;
}
