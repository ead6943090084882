import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { FULL } from '../../calendar/ratio.ts';
import { customRhythm, indexOf } from '../../calendar/rhythm.ts';
import { creditOf } from '../../invoice/credit.ts';
import { differenceLines } from '../../invoice/difference.ts';
import type { ChargedLine, Line } from '../../invoice/types.ts';
import { chainWaiting } from '../invoice-fresh.ts';
import { discountIn } from '../period/cycles-left.ts';
import { frozenBefore, knownEnd, later, movedBy, ranOnUntil } from '../period/known-end.ts';
import { recurringSources, sourcesOf } from '../period/sources.ts';
import { customBounds, movedSpan, paysInFreezes, periodBounds, remainingOf } from '../period/time.ts';
import type { FollowedRule } from '../terms/change-rules.ts';
import { samePrice } from '../terms/terms.ts';
import type { Carried, Contract, PendingChange } from '../types.ts';
import type { Work } from '../work.ts';
import { chargeNew, type NewCharges } from './charge-new.ts';
import { chargedUntil, keptAhead } from './charged-ahead.ts';
import { givenBackSoFar } from './continue.ts';
import type { ChangeEffect, Unused } from './effect.ts';
import { chargeOn } from './extend.ts';
import { type Begins, fullPrices } from './full-prices.ts';
import { giveBack } from './give-back.ts';
import { newUsage } from './move-usage.ts';
import { type Paying, payingLines } from './paying.ts';

/** A change of contracts whose cycles have begun. */
interface Change {
  /** as it was before the change */
  old: Contract;
  fresh: Contract;
  at: Instant;
  /** the change is at the end of the old contract's current period */
  boundary: boolean;
  pauses: Pause[];
  /** `now`: asked for now. `later`: a pending change falls due */
  time: 'now' | 'later';
  strategy: PendingChange['kind'];
}

/**
 * Makes the lines of a change: what is given back of the old contract, and what is charged on the new one. Each names
 * the rule that the change follows.
 */
export function changeLines(work: Work, change: Change, effect: ChangeEffect, rule: FollowedRule): void {
  const { old, fresh, at, pauses } = change;
  const before = new Set(work.fresh);
  const touched = effect.beginsPeriod ? null : touchedSources(change, effect);
  // An invoice has one currency: what is given back in the old one stays with the old contract.
  const isSameCurrency = old.terms.currency === fresh.terms.currency;
  const payer = isSameCurrency ? fresh : work.snapshot.contract;
  // with another currency no later invoice could give back the rest, so all of it is given back now
  const until = isSameCurrency ? later(knownEnd(old, pauses), knownEnd(fresh, pauses)) : null;
  const paying = payingLines(work.snapshot, old, at);
  const pays = new Set(paying.map(({ line }) => line.id));
  const { becomes, ahead } = withAhead(work, change, linesBy(work, at, touched, effect), { rule, pays });
  // for the same reason, what isn't given back now is lost
  const paid = isSameCurrency ? paidBy(paying, becomes) : becomes;
  const isPutOff = isSameCurrency && isEndPutOff(change);
  // a cycle that the change charges whole is whole for usage too
  const begins = effect.charged === 'cycle' ? [] : newUsage(old, fresh);
  const carried = { ...carriedBy(work, change, paid), newUsage: begins, ...ahead };
  // if the known end is put off, the time after it of lines that earlier changes replaced is given back: only lines
  // that pay are lost
  const except = new Set(isPutOff ? paid.lost : becomes.lost);
  const untilOf = chargedUntil(work, fresh, at, until);
  const given =
    effect.unused === 'goes_on'
      ? giveBackThose(work, payer, at, { those: new Set(becomes.given_back), until, untilOf })
      : giveBack(work, payer, at, { only: touched, except, until, untilOf });
  const gone = goneForNothing(work, fresh, at, becomes.given_back);
  const begun = {
    ...fresh,
    givenBack: givenBackSoFar(old, at, given),
    carried: { ...carried, lost: [...new Set([...carried.lost, ...gone])] },
  };
  chargeNew(work, old, begun, at, chargesOf(change, effect, touched));
  if (effect.charged === 'difference') chargeDifference(work, change, touched);
  if (effect.unused === 'goes_on' && isPutOff) chargeOn(work, work.snapshot.successor ?? begun, at, paying);
  const isLater = effect.collected === 'next_invoice';
  const end = isLater ? periodBounds(fresh, 1, pauses).end : null;
  work.fresh = work.fresh.map((line) => (before.has(line) ? line : named(line, rule, end)));
  if (isLater) work.waits.add(fresh.id);
}

/**
 * Whether the change puts off the known end of the old contract, or removes it. A change at or after that end is only
 * previewed: it takes place only if the end is taken back before.
 */
function isEndPutOff({ old, fresh, at, pauses }: Change): boolean {
  const [before, after] = [knownEnd(old, pauses), knownEnd(fresh, pauses)];
  return before !== null && before > at && (after === null || after > before);
}

/** A line that names the rule of its change. While it waits, it is due at the end of the period. */
function named(line: Line, rule: FollowedRule, end: Instant | null): Line {
  return { ...line, dueDate: Math.max(line.dueDate, end ?? line.dueDate), derivation: { ...line.derivation, rule } };
}

/**
 * The sources that a change of units gives back and charges again: those whose price changes. If the discount changes,
 * or a flat discount has to be divided again, all other recurring sources too, unless nothing is given back: then they
 * would be paid twice. Null in a change of plan: all sources.
 */
function touchedSources({ old, fresh, pauses, strategy }: Change, { unused }: ChangeEffect): ReadonlySet<string> | null {
  if (strategy === 'new_plan') return null;
  const before = new Map(sourcesOf(old.terms).map(({ source, price }) => [source, price]));
  const changed = new Set(
    sourcesOf(fresh.terms).flatMap(({ source, price }) => (samePrice(before.get(source) ?? null, price) ? [] : [source])),
  );
  if (unused === 'lost') return changed;
  const recurring = recurringSources(fresh.terms).map(({ source }) => source);
  const isDividedAgain = discountIn(fresh, 1, pauses)?.type === 'flat' && recurring.some((source) => changed.has(source));
  const isAnother = fresh.discount?.id !== old.discount?.id;
  return isDividedAgain || isAnother ? new Set([...changed, ...recurring]) : changed;
}

/** Ids of running lines with unused time. */
function runningIds({ snapshot }: Work, at: Instant, fits: (line: ChargedLine) => boolean): string[] {
  const { contract, customer, running } = snapshot;
  const ahead = running.filter((line) => fits(line) && remainingOf(line, at, movedBy(contract, line, customer.pauses)) !== null);
  return ahead.map(({ id }) => id);
}

/** Ids of running lines, by what the change does with their unused time. */
type LinesBy = Record<Unused, string[]>;

function linesBy(work: Work, at: Instant, touched: ReadonlySet<string> | null, effect: ChangeEffect): LinesBy {
  const that = (becomes: Unused): string[] =>
    runningIds(
      work,
      at,
      ({ kind, source }) =>
        (kind === 'custom' ? effect.unusedCustom : effect.unused) === becomes && (touched === null || touched.has(source)),
    );
  return { lost: that('lost'), goes_on: that('goes_on'), given_back: that('given_back') };
}

/**
 * A change loses, or lets go on, only lines that pay now. Other lines were replaced by earlier changes up to a known
 * end; their time after that end is given back when the end is taken back.
 */
function paidBy(paying: readonly Paying[], becomes: LinesBy): LinesBy {
  const ids = new Set(paying.map(({ line }) => line.id));
  const isPaid = (id: string): boolean => ids.has(id);
  return { ...becomes, lost: becomes.lost.filter(isPaid), goes_on: becomes.goes_on.filter(isPaid) };
}

/**
 * Ids of lines of which nothing is left to give back, of prices that the new contract doesn't have: no credit line says
 * that they are gone, and no later line takes their place.
 */
function goneForNothing({ snapshot }: Work, { terms }: Contract, at: Instant, givenBack: readonly string[]): string[] {
  const [asked, sources] = [new Set(givenBack), new Set(sourcesOf(terms).map(({ source }) => source))];
  const gone = snapshot.running.filter((line) => asked.has(line.id) && !sources.has(line.source) && creditOf(line, FULL, at).base.isZero());
  return gone.map(({ id }) => id);
}

/** What earlier changes have left behind and still runs, and what this change leaves behind. */
function carriedBy(work: Work, { old, fresh, at, pauses }: Change, becomes: LinesBy): Carried {
  const earlier = new Set([...old.carried.lost, ...old.carried.goesOn]);
  const running = earlier.size === 0 ? new Set<string>() : new Set(runningIds(work, at, ({ id }) => earlier.has(id)));
  const kept = (ids: readonly string[]): string[] => ids.filter((id) => running.has(id));
  const stopped = new Set([...becomes.lost, ...becomes.given_back]);
  const frozen = frozenBefore(old, fresh, pauses);
  const ranOn = paysInFreezes(old) === paysInFreezes(fresh) ? (old.carried.ranOn ?? []) : ranOnUntil(old, at);
  return {
    ...(frozen === 0 ? {} : { frozen }),
    ...(ranOn.length === 0 ? {} : { ranOn }),
    lost: [...kept(old.carried.lost), ...becomes.lost],
    goesOn: [...new Set([...kept(old.carried.goesOn), ...becomes.goes_on])].filter((id) => !stopped.has(id)),
    waiting: old.configuration.invoiceTrigger === 'immediate' ? chainWaiting(work.snapshot.waiting, fresh.id) : [],
  };
}

/**
 * Decides about occurrences that another system has billed ahead, in a change that lets lines go on. If the price stays
 * as it is, they stay paid. Otherwise they are given back (or lost, if the rule gives nothing back) and charged when
 * they are due.
 */
function withAhead(
  work: Work,
  change: Change,
  becomes: LinesBy,
  { rule, pays }: { rule: FollowedRule; pays: ReadonlySet<string> },
): { becomes: LinesBy; ahead: Pick<Carried, 'chargedAhead'> } {
  const kept = keptAhead(work, change, new Set([...becomes.lost, ...becomes.given_back]));
  const ahead = kept === null ? {} : { chargedAhead: kept };
  const goesOn = new Set(becomes.goes_on);
  const others = work.snapshot.running.filter(
    (line) => goesOn.has(line.id) && pays.has(line.id) && kept?.[line.source] === undefined && isAhead(line, change),
  );
  if (others.length === 0) return { becomes, ahead };
  const ids = new Set(others.map(({ id }) => id));
  const to: Unused = rule.credit === 'none' ? 'lost' : 'given_back';
  return { becomes: { ...becomes, [to]: [...becomes[to], ...ids], goes_on: becomes.goes_on.filter((id) => !ids.has(id)) }, ahead };
}

/** Whether another system has already charged an occurrence that the new contract would charge when it is due. */
function isAhead({ elsewhere, kind, ...line }: ChargedLine, { at, time, pauses }: Change): boolean {
  const start = movedSpan(line, pauses)?.start;
  if (!elsewhere || kind !== 'custom' || start === undefined) return false;
  return start > at || (start === at && time === 'later');
}

function giveBackThose(
  work: Work,
  payer: Contract,
  at: Instant,
  { those, ...limits }: { those: ReadonlySet<string>; until: Instant | null; untilOf: ReadonlyMap<string, Instant> },
): ReturnType<typeof giveBack> {
  const except = new Set(work.snapshot.running.flatMap(({ id }) => (those.has(id) ? [] : [id])));
  return giveBack(work, payer, at, { except, ...limits });
}

function chargesOf(change: Change, { charged }: ChangeEffect, touched: ReadonlySet<string> | null): NewCharges {
  const { at, time } = change;
  if (charged === 'cycle') return { isCharged: () => true, isWhole: (_source, trigger) => trigger === null };
  const isTouched = (source: string): boolean => touched === null || touched.has(source);
  // what the change leaves alone rolls over
  const isWhole = (source: string): boolean => !isTouched(source);
  if (charged === 'rest') {
    const isDue = (start: Instant): boolean => time === 'later' && at === start;
    return { isCharged: (source, start) => isTouched(source) || isDue(start), isWhole };
  }
  const begins = beginsIn(change);
  return { isCharged: (_source, _start, trigger) => begins(trigger), isWhole };
}

/**
 * Which triggers begin a new occurrence exactly at the change, by the old contract's calendar: it hasn't been charged
 * yet.
 */
function beginsIn({ old, at, boundary, time, pauses }: Change): Begins {
  return (trigger) => {
    if (trigger === null) return boundary;
    if (time === 'now') return false;
    const k = indexOf(customRhythm(old.start ?? at, trigger, pauses), at);
    return customBounds(old, trigger, k, pauses).start === at;
  };
}

function chargeDifference(work: Work, change: Change, touched: ReadonlySet<string> | null): void {
  const { old, fresh, at } = change;
  const begins = beginsIn(change);
  const of = (contract: Contract) => fullPrices(work, contract, at, begins).filter(({ source }) => touched === null || touched.has(source));
  const { tax } = work.snapshot;
  work.fresh.push(...differenceLines(of(old), of({ ...fresh, currentIdx: 1 }), { at, tax, newId: work.newId }));
}
