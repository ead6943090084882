import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { share } from '../../calendar/ratio.ts';
import type { CreditsBack, CreditsCut, PlanGrant } from '../../credit/types.ts';
import { type Decimal, dec, larger, text, ZERO } from '../../money/decimal.ts';
import { addGrant, creditsAhead, creditsBehind, creditsOfCycle, cutNow, giveUp } from '../charge/plan-credits.ts';
import { knownEnd, later, paidBounds, paidShare } from '../period/known-end.ts';
import type { Carried, Contract, PendingChange } from '../types.ts';
import { putContract, type Work } from '../work.ts';
import type { ChangeEffect } from './effect.ts';

/** A change of contracts whose cycles have begun. */
interface Change {
  /** as it was before the change */
  old: Contract;
  fresh: Contract;
  at: Instant;
  /** the change is at the end of the old contract's current period */
  boundary: boolean;
  strategy: PendingChange['kind'];
}

/**
 * Lets the credits of plans follow their prices in a change: what gives back the price of unused time takes its credits
 * back, as far as they are left, and what charges the new price gives its credits. Only the difference moves, so that
 * a change and its way back at the same instant leave what was there before. Both are computed up to a known end, as
 * the prices are; a change of units leaves the price that the credits come with as it is.
 *
 * @example
 * const gives = (amount) => ({ price: amount, credits: { amount, expiresAfterCycles: 1, rolloverMaximum: null } });
 * const work = workOn(signs('2025-06-01', plan('pro', gives('50'))), '2025-06-16');
 * const old = work.snapshot.contract;
 * const fresh = { ...old, id: 'Cont_2', terms: signs('2025-06-01', plan('max', gives('200'))).contract().terms };
 * const effect = { unused: 'given_back', charged: 'rest' };
 * changeCredits(work, { old, fresh, at: at('2025-06-16'), boundary: false, strategy: 'new_plan' }, effect);
 * changeCredits(work, { old: fresh, fresh: old, at: at('2025-06-16'), boundary: false, strategy: 'new_plan' }, effect);
 * work.grants.map(({ amount }) => amount) // ['75.00']
 * work.creditsBack.map(({ amount }) => amount) // ['75.00']
 */
export function changeCredits(work: Work, change: Change, effect: Effect): void {
  const { old, fresh, at, boundary } = change;
  const { pauses } = work.snapshot.customer;
  // a cycle that begins anyway is paid by its price, whatever the rule
  const charged = boundary ? 'rest' : effect.charged;
  const begun: Contract = { ...fresh, currentIdx: 1, carried: { ...fresh.carried, ...keptOf(change, charged, pauses) } };
  const isCut = !leavesPrice(change);
  if (!isCut && !boundary && charged !== 'cycle') {
    note(work, begun, null);
    return;
  }
  const isSameCurrency = old.terms.currency === fresh.terms.currency;
  const until = isCut && isSameCurrency ? later(knownEnd(old, pauses), knownEnd(begun, pauses)) : null;
  const back = effect.unused === 'given_back' ? creditsAhead(old, at, pauses, until) : ZERO;
  const end = isCut ? knownEnd(begun, pauses) : null;
  const given = givenBy(charged, { old, fresh: begun, ahead: () => creditsAhead(begun, at, pauses, end) });
  const gain = isSameCurrency ? given.minus(back) : given;
  addGrant(work, begun, { idx: 1, at, amount: gain });
  giveUp(work, old, at, isSameCurrency ? back.minus(given) : back);
  const cut = isCut && charged === 'rest' ? cutAfter(work, change, begun, { unused: effect.unused, until }) : null;
  note(work, begun, cut);
}

type Effect = Pick<ChangeEffect, 'unused' | 'charged'>;

/** Other units leave the price that credits come with as it is. */
const leavesPrice = ({ strategy }: Change): boolean => strategy === 'change_unit_count';

/** What goes on as it was: the credits that the running cycle has got, and up to where. */
function keptOf(change: Change, charged: Effect['charged'], pauses: Pause[]): Pick<Carried, 'creditsCut' | 'creditsGiven'> {
  const { old, fresh, at, boundary } = change;
  if (boundary || charged === 'cycle' || (charged === 'rest' && !leavesPrice(change))) return {};
  const cut = cutNow(old, pauses);
  const rise = charged === 'difference' ? risenBy(old, fresh) : ZERO;
  const creditsGiven = creditsOfCycle(old).plus(rise);
  return {
    ...(cut && { creditsCut: { ...cut, setAt: at } }),
    ...(creditsGiven.eq(wholeOf(fresh)) ? {} : { creditsGiven: text(creditsGiven) }),
  };
}

/** Up to where the credits of the running cycle are given after a change, where that isn't the end of the cycle. */
function cutAfter(
  { snapshot: { customer } }: Work,
  { old, at }: Change,
  begun: Contract,
  { unused, until }: Pick<Effect, 'unused'> & { until: Instant | null },
): CreditsCut | null {
  const { pauses } = customer;
  const before = cutNow(old, pauses);
  const [ends, natural] = [knownEnd(begun, pauses), paidBounds(begun, 1, pauses).end];
  if (ends === null || natural === null || ends >= natural) return null;
  const own = unused === 'given_back' ? creditsAhead(old, at, pauses).minus(creditsAhead(old, at, pauses, until)) : ZERO;
  return {
    at: ends,
    setAt: at,
    whole: text(wholeOf(begun)),
    length: paidShare(begun, 1, at, ends, pauses).whole,
    end: natural,
    behind: text(before === null ? own : creditsBehind(before, ends, null)),
    behindEnd: before?.behindEnd ?? (old.currentIdx === null ? null : paidBounds(old, old.currentIdx, pauses).end) ?? natural,
  };
}

/** Notes it on the contract as its lines have left it; nothing of what gives no credits. */
function note(work: Work, { id, carried: { creditsCut, creditsGiven } }: Contract, fresh: CreditsCut | null): void {
  const cut = fresh ?? creditsCut;
  const isCut = cut !== undefined && [cut.whole, cut.behind].some((amount) => !dec(amount).isZero());
  const state = work.contracts.get(id);
  if (state === undefined || (!isCut && creditsGiven === undefined)) return;
  const noted = { ...(isCut && { creditsCut: cut }), ...(creditsGiven === undefined ? {} : { creditsGiven }) };
  putContract(work, { ...state, carried: { ...state.carried, ...noted } });
}

/**
 * After a cancellation was taken back or moved to a later instant, the credits follow the lines that are charged on:
 * those of the price that a change had charged up to the end are given further, and what an earlier price had given for
 * that time goes back.
 *
 * @example
 * const gives = (amount) => ({ price: amount, credits: { amount, expiresAfterCycles: 1, rolloverMaximum: null } });
 * const story = signs('2025-06-01', plan('pro', gives('30')));
 * const request = { when: { type: 'date', date: at('2025-06-21') }, credit: false, notes: null };
 * story.does('2025-06-05', (snapshot, now, newId) => planCancellation(snapshot, request, now, newId));
 * changes(story, '2025-06-11', toPlan(plan('max', gives('300'))));
 * const work = workOn(story, '2025-06-15');
 * amend(work, { cancellation: null });
 * creditOn(work, at('2025-06-15'));
 * work.grants.map(({ amount }) => amount) // ['90.00']
 */
export function creditOn(work: Work, at: Instant): void {
  const { contract, customer } = work.snapshot;
  const cut = cutNow(contract, customer.pauses);
  if (cut === null || contract.currentIdx === null) return;
  const known = knownEnd(contract, customer.pauses);
  const until = Math.min(cut.end, known ?? cut.end);
  if (until <= cut.at) return;
  const given = share(dec(cut.whole), { part: until - cut.at, whole: cut.length });
  const back = creditsBehind(cut, cut.at, known);
  addGrant(work, contract, { idx: contract.currentIdx, at, amount: given.minus(back), more: true });
  giveUp(work, contract, at, back.minus(given));
  const { creditsCut: _, ...carried } = contract.carried;
  const left = { ...cut, at: until, setAt: at, behind: text(dec(cut.behind).minus(back)) };
  putContract(work, { ...contract, carried: until < cut.end ? { ...carried, creditsCut: left } : carried });
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
  const amounts: Record<ChangeEffect['charged'], () => Decimal> = {
    rest: ahead,
    cycle: () => wholeOf(fresh),
    difference: () => risenBy(old, fresh),
    nothing: () => ZERO,
  };
  return amounts[charged]();
}

const wholeOf = ({ terms }: Contract): Decimal => dec(terms.credits?.amount ?? '0');
const risenBy = (old: Contract, fresh: Contract): Decimal => larger(wholeOf(fresh).minus(wholeOf(old)), ZERO);
