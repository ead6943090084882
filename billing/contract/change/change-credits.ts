import type { Instant } from '../../calendar/instant.ts';
import type { CreditsBack, PlanGrant } from '../../credit/types.ts';
import { type Decimal, dec, larger, ZERO } from '../../money/decimal.ts';
import { addGrant, creditsAhead, giveUp } from '../charge/plan-credits.ts';
import type { Contract } from '../types.ts';
import type { Work } from '../work.ts';
import type { ChangeEffect } from './effect.ts';

/** A change of contracts whose cycles have begun. */
interface Change {
  /** as it was before the change */
  old: Contract;
  fresh: Contract;
  at: Instant;
}

/**
 * Lets the credits of plans follow their prices in a change: what gives back the price of unused time takes its credits
 * back, as far as they are left, and what charges the new price gives its credits. Only the difference moves, so that
 * a change and its way back at the same instant leave what was there before.
 *
 * @example
 * const gives = (amount) => ({ price: amount, credits: { amount, expiresAfterCycles: 1, rolloverMaximum: null } });
 * const work = workOn(signs('2025-06-01', plan('pro', gives('50'))), '2025-06-16');
 * const old = work.snapshot.contract;
 * const fresh = { ...old, id: 'Cont_2', terms: signs('2025-06-01', plan('max', gives('200'))).contract().terms };
 * const effect = { unused: 'given_back', charged: 'rest' };
 * changeCredits(work, { old, fresh, at: at('2025-06-16') }, effect);
 * changeCredits(work, { old: fresh, fresh: old, at: at('2025-06-16') }, effect);
 * work.grants.map(({ amount }) => amount) // ['75.00']
 * work.creditsBack.map(({ amount }) => amount) // ['75.00']
 */
export function changeCredits(work: Work, { old, fresh, at }: Change, effect: Pick<ChangeEffect, 'unused' | 'charged'>): void {
  const { pauses } = work.snapshot.customer;
  const begun: Contract = { ...fresh, currentIdx: 1 };
  const back = effect.unused === 'given_back' ? creditsAhead(old, at, pauses) : ZERO;
  const given = givenBy(effect.charged, { old, fresh: begun, ahead: () => creditsAhead(begun, at, pauses) });
  const isSameCurrency = old.terms.currency === fresh.terms.currency;
  const gain = isSameCurrency ? given.minus(back) : given;
  addGrant(work, begun, { idx: 1, at, amount: gain });
  giveUp(work, old, at, isSameCurrency ? back.minus(given) : back);
}

/** The credits that a change gives, and the most that it takes back. */
export interface CreditsMoved {
  given: PlanGrant[];
  back: CreditsBack[];
}

/** What the change to a contract moves, without what cycles before it gave. */
export function creditsMoved({ grants, creditsBack }: Pick<Work, 'grants' | 'creditsBack'>, freshId: string): CreditsMoved {
  return { given: grants.filter(({ contractId }) => contractId === freshId), back: [...creditsBack] };
}

function givenBy(
  charged: ChangeEffect['charged'],
  { old, fresh, ahead }: { old: Contract; fresh: Contract; ahead: () => Decimal },
): Decimal {
  const whole = ({ terms }: Contract): Decimal => dec(terms.credits?.amount ?? '0');
  const amounts: Record<ChangeEffect['charged'], () => Decimal> = {
    rest: ahead,
    cycle: () => whole(fresh),
    difference: () => larger(whole(fresh).minus(whole(old)), ZERO),
    nothing: () => ZERO,
  };
  return amounts[charged]();
}
