import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { share } from '../../calendar/ratio.ts';
import type { CarriedCredits, CreditsBack, CreditsBeside, CreditsCut, PlanGrant } from '../../credit/types.ts';
import { type Decimal, dec, larger, sum, text, ZERO } from '../../money/decimal.ts';
import {
  addGrant,
  besideBetween,
  besideNow,
  creditsAhead,
  creditsBehind,
  creditsBeside,
  creditsInPeriod,
  creditsOfCycle,
  cutNow,
  giveUp,
} from '../charge/plan-credits.ts';
import { earlier, knownEnd, later, paidBounds, paidShare } from '../period/known-end.ts';
import type { Contract, PendingChange } from '../types.ts';
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
  const kept = { ...keptOf(change, { ...effect, charged }, pauses), ...missedBy(change, charged) };
  const begun: Contract = { ...fresh, currentIdx: 1, carried: { ...fresh.carried, ...kept } };
  const isCut = !leavesPrice(change);
  if (!isCut && !boundary && charged !== 'cycle') {
    note(work, begun, null);
    return;
  }
  const isSameCurrency = old.terms.currency === fresh.terms.currency;
  const until = isCut && isSameCurrency ? later(knownEnd(old, pauses), knownEnd(begun, pauses)) : null;
  const unused = isCut ? creditsAhead : creditsInPeriod;
  const back = effect.unused === 'given_back' ? unused(old, at, pauses, until) : ZERO;
  const end = isCut ? knownEnd(begun, pauses) : null;
  const given = givenBy(charged, { old, fresh: begun, ahead: () => creditsInPeriod(begun, at, pauses, end) });
  const gain = isSameCurrency ? given.minus(back) : given;
  addGrant(work, begun, { idx: 1, at, amount: gain });
  giveUp(work, old, at, isSameCurrency ? back.minus(given) : back);
  const cut = isCut && charged === 'rest' ? cutAfter(work, change, begun, { unused: effect.unused, until }) : null;
  note(work, begun, cut);
}

type Effect = Pick<ChangeEffect, 'unused' | 'charged'>;

/** Other units leave the price that credits come with as it is. */
const leavesPrice = ({ strategy }: Change): boolean => strategy === 'change_unit_count';

/**
 * What goes on as it was: the credits that the running cycle has got, up to where, and those beside them. What the
 * price of a difference gives belongs to the time from the change on, as that price does.
 */
function keptOf(change: Change, { charged, unused }: Effect, pauses: Pause[]): CarriedCredits {
  const { old, fresh, at, boundary } = change;
  if (charged === 'cycle' || (unused !== 'goes_on' && !leavesPrice(change))) return {};
  const running = besideNow(old, pauses).map((one) => ({ ...one, left: besideBetween(one, at, null) }));
  if (boundary) return besideOf(running, at);
  const isOtherCycle = fresh.terms.cycle !== old.terms.cycle;
  const cut = cutNow(old, pauses);
  const risen =
    charged === 'difference' ? [{ left: risenBy(old, fresh), end: paidBounds({ ...fresh, currentIdx: 1 }, 1, pauses).end }] : [];
  const before = isOtherCycle ? [{ left: creditsInPeriod(old, at, pauses, cut?.at ?? null), end: periodEnd(old, cut, pauses) }] : [];
  const creditsGiven = isOtherCycle ? ZERO : creditsOfCycle(old);
  return {
    ...besideOf([...running, ...before, ...risen], at),
    ...(cut && { creditsCut: { ...cut, setAt: at } }),
    ...(creditsGiven.eq(wholeOf(fresh)) ? {} : { creditsGiven: text(creditsGiven) }),
  };
}

/** What an import has brought no credits with still brings none where changes at one instant lead back to its price. */
function missedBy({ old, fresh, at, boundary }: Change, charged: Effect['charged']): CarriedCredits {
  const { creditsMissed: missed, creditsGiven } = old.carried;
  const isInCycle = !boundary && charged !== 'cycle' && old.currentIdx === 1;
  if (missed === undefined || !isInCycle || (creditsGiven !== '0' && old.began !== at)) return {};
  const { pricingId, credits } = fresh.terms;
  const leadsBack = charged === 'rest' && pricingId === missed.pricingId && credits?.amount === missed.amount;
  return { creditsMissed: missed, ...(leadsBack ? { creditsGiven: '0' } : {}) };
}

/** Up to where the credits of the running cycle were given. */
function periodEnd(contract: Contract, cut: CreditsCut | null, pauses: Pause[]): Instant | null {
  const { currentIdx } = contract;
  return currentIdx === null ? null : earlier(paidBounds(contract, currentIdx, pauses).end, cut?.at ?? null);
}

/** Credits beside those of the cycle as they lie from a change on, together where their time ends together. */
function besideOf(parts: readonly { left: Decimal; end: Instant | null }[], at: Instant): CarriedCredits {
  const ahead = parts.flatMap(({ left, end }) => (end === null || end <= at || left.isZero() ? [] : [{ left, end }]));
  const byEnd = [...Map.groupBy(ahead, ({ end }) => end)];
  const beside = byEnd.map(([end, own]): CreditsBeside => ({ amount: text(sum(own.map(({ left }) => left))), setAt: at, end }));
  return beside.length === 0 ? {} : { creditsBeside: beside };
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
  const behind = (of: typeof creditsInPeriod): Decimal =>
    unused === 'given_back' ? of(old, at, pauses).minus(of(old, at, pauses, until)) : ZERO;
  return {
    at: ends,
    setAt: at,
    whole: text(wholeOf(begun)),
    length: paidShare(begun, 1, at, ends, pauses).whole,
    end: natural,
    behind: text((before === null ? behind(creditsInPeriod) : creditsBehind(before, ends, null)).plus(behind(creditsBeside))),
    behindEnd: before?.behindEnd ?? (old.currentIdx === null ? null : paidBounds(old, old.currentIdx, pauses).end) ?? natural,
  };
}

/** Notes it on the contract as its lines have left it; no cut of what gives no credits. */
function note(work: Work, { id, carried }: Contract, fresh: CreditsCut | null): void {
  const state = work.contracts.get(id);
  if (state === undefined) return;
  const { creditsCut, creditsGiven, creditsBeside: beside, creditsMissed } = carried;
  const cut = fresh ?? creditsCut;
  const isCut = cut !== undefined && [cut.whole, cut.behind].some((amount) => !dec(amount).isZero());
  const noted: CarriedCredits = {
    ...(isCut && { creditsCut: cut }),
    ...(creditsGiven === undefined ? {} : { creditsGiven }),
    ...(beside === undefined ? {} : { creditsBeside: beside }),
    ...(creditsMissed === undefined ? {} : { creditsMissed }),
  };
  if (Object.keys(noted).length > 0) putContract(work, { ...state, carried: { ...state.carried, ...noted } });
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
