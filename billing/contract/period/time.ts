import { isPeriodic } from '../../calendar/cycle.ts';
import type { Instant } from '../../calendar/instant.ts';
import { DAY } from '../../calendar/instant.ts';
import { type Pause, pausesSince, runningTime, shift } from '../../calendar/pauses.ts';
import { FULL, type Ratio } from '../../calendar/ratio.ts';
import { boundary, customRhythm, type Period, type Rhythm, spanRatio } from '../../calendar/rhythm.ts';
import type { ChargedLine, Line } from '../../invoice/types.ts';
import { fail } from '../../problem.ts';
import type { Contract, When } from '../types.ts';

/** A charge trigger that comes at its own rhythm from the anchor. */
export type CustomTrigger = 'month' | 'quarter' | 'year';

/** All of them. */
export const CUSTOM_TRIGGERS: readonly CustomTrigger[] = ['month', 'quarter', 'year'];

/**
 * Whether the customer is frozen: the last freeze has no end yet.
 *
 * @example isFrozen([{ from: 5, to: null }]) // true
 */
export function isFrozen(pauses: readonly Pause[]): boolean {
  return pauses.at(-1)?.to === null;
}

/** Whether a contract lives or may still begin to. @example isLive({ status: 'moved', … }) // false */
export function isLive({ status }: Pick<Contract, 'status'>): boolean {
  return status !== 'moved' && status !== 'canceled';
}

/**
 * The rhythm of a contract whose cycles have begun.
 *
 * @throws BillingError `not_started` before the first period
 * @example monthly from 31 Jan 2025: boundary(rhythmOf(contract, []), 1) // 28 Feb 2025
 */
export function rhythmOf(contract: Contract, pauses: Pause[]): Rhythm {
  const start = contract.start ?? fail('contract', 'not_started', `${contract.id} has no billing period yet`);
  return { start, cycle: contract.terms.cycle, offset: contract.offset, pauses };
}

/** The rhythm cycle of a billing period. @example rhythmCycle({ firstCycle: 3, … }, 1) // 3 */
export function rhythmCycle({ firstCycle }: Pick<Contract, 'firstCycle'>, idx: number): number {
  return firstCycle + idx - 1;
}

/** The cycle along the chain of changes, by which free and discount cycles count. @example chainCycle({ cyclesBefore: 2, … }, 1) // 3 */
export function chainCycle({ cyclesBefore }: Pick<Contract, 'cyclesBefore'>, idx: number): number {
  return cyclesBefore + idx;
}

/**
 * Bounds of a billing period; `end` null for `once`, `constant` and while a freeze keeps it unknown.
 *
 * @throws BillingError `not_started`, `unknown_period`
 * @example periodBounds(contract signed 31 Jan 2025 by the month, 2, []) // 28 Feb to 31 Mar
 */
export function periodBounds(contract: Contract, idx: number, pauses: Pause[]): Period {
  const rhythm = rhythmOf(contract, pauses);
  const n = rhythmCycle(contract, idx);
  const start = boundary(rhythm, n) ?? fail('period', 'unknown_period', `period ${idx} has no known start`);
  return { start, end: boundary(rhythm, n + 1) };
}

/**
 * The share of the whole natural period that [from, to) of a billing period is; all of it when there is nothing to pro-rate over.
 *
 * @example periodShare(monthly contract, 1, at('2025-06-16'), at('2025-07-01'), []) // 15 days of 30
 */
export function periodShare(contract: Contract, idx: number, from: Instant, to: Instant | null, pauses: Pause[]): Ratio {
  if (to === null || !isPeriodic(contract.terms.cycle)) return FULL;
  return spanRatio(rhythmOf(contract, pauses), rhythmCycle(contract, idx), from, to);
}

/**
 * When an activation takes place: at its instant, or when the freeze it falls into ends. A freeze before it doesn't move it.
 *
 * @returns null while pending, or while the freeze it falls into lasts
 * @example activationOf({ activation: 7, … }, [{ from: 5, to: 9 }]) // 9
 */
export function activationOf({ activation }: Pick<Contract, 'activation'>, pauses: readonly Pause[]): Instant | null {
  if (activation === null) return null;
  let at = activation;
  for (const { from, to } of pauses) {
    if (from >= at) break;
    if (to === null) return null;
    if (to > at) at = to;
  }
  return at;
}

/**
 * When the free trial ends, frozen time included.
 *
 * @returns null without a trial, before the activation, or while a freeze keeps it unknown
 * @example trialEndOf(90 days from 1 Jan 2024, []) // 31 Mar 2024 (M5)
 */
export function trialEndOf({ activation, trialEnd }: Pick<Contract, 'activation' | 'trialEnd'>, pauses: readonly Pause[]): Instant | null {
  if (trialEnd === null || activation === null) return null;
  return shift(trialEnd, pausesSince(pauses, activation));
}

/**
 * End of a trial of so many days from an activation, before freezes; null without a trial.
 *
 * @example reckonedTrialEnd(at('2024-01-01'), 90) // 31 March 2024 (M5)
 */
export function plannedTrialEnd(activation: Instant | null, days: number): Instant | null {
  return activation === null || days === 0 ? null : activation + days * DAY;
}

/**
 * Where an instant in a contract's future lies by now.
 *
 * @returns null while a freeze, or a start not known yet, keeps it unknown
 * @example monthly from 1 Jan 2025: whenAt(contract, { type: 'boundary', n: 2 }, []) // 1 March
 * @example wished on 5 Jan for 20 Jan, frozen 10–15 Jan: whenAt(contract, { type: 'date', at: 20 Jan, setAt: 5 Jan }, pauses) // 25 Jan
 */
export function whenAt(contract: Contract, when: When, pauses: Pause[]): Instant | null {
  if (when.type === 'date') return shift(when.at, pausesSince(pauses, when.setAt));
  if (contract.start === null) return when.n === 0 ? trialEndOf(contract, pauses) : null;
  return boundary(rhythmOf(contract, pauses), when.n);
}

/**
 * When the contract expires, frozen time included; null when never, and while a freeze keeps it unknown.
 *
 * @example signed on 1 Jan to expire on 1 June 2025, frozen 10–15 Jan: expirationAt(contract, pauses) // 6 June
 */
export function expirationAt({ expiration }: Pick<Contract, 'expiration'>, pauses: readonly Pause[]): Instant | null {
  return expiration === null ? null : shift(expiration.at, pausesSince(pauses, expiration.setAt));
}

/**
 * End of the current billing period, or of the trial; null when there is none or it is unknown.
 *
 * @example monthly from 31 Jan 2025, in period 1: cycleEnd(contract, []) // 28 Feb 2025
 */
export function cycleEnd(contract: Contract, pauses: Pause[]): Instant | null {
  if (contract.start === null) return contract.status === 'active' ? trialEndOf(contract, pauses) : null;
  return contract.currentIdx === null ? null : periodBounds(contract, contract.currentIdx, pauses).end;
}

/**
 * Bounds of one occurrence of a month, quarter or year charge.
 *
 * @param k occurrences before it; 0 begins at the contract's start
 * @throws BillingError `not_started`, `unknown_period` when a freeze keeps its start unknown
 * @example started on 31 Jan 2025: customBounds(contract, 'quarter', 1, []) // 30 April to 31 July
 */
export function customBounds(contract: Contract, trigger: CustomTrigger, k: number, pauses: Pause[]): Period {
  const rhythm = customRhythm(rhythmOf(contract, pauses).start, trigger, pauses);
  const start = boundary(rhythm, k) ?? fail('period', 'unknown_period', `${trigger} ${k} has no known start`);
  return { start, end: boundary(rhythm, k + 1) };
}

/**
 * What a charged line pays for, its end where freezes since have moved it, and its start where it was charged ahead; null while a freeze keeps that
 * unknown.
 *
 * @example charged for June 2025, frozen 10–15 June: movedSpan(line, pauses) // 1 June to 6 July
 * @example charged on 15 June for 21 June to 1 July, frozen 16–18 June: movedSpan(line, pauses) // 23 June to 3 July
 */
export function movedSpan({ span, derivation }: Charged, pauses: readonly Pause[]): Line['span'] {
  if (span === null || span.end === null) return span;
  // charged before its time: a freeze in between moves its start too
  const setAt = derivation?.setAt as Instant | undefined;
  const since = pausesSince(pauses, setAt ?? span.start);
  const end = shift(span.end, since);
  const start = setAt === undefined ? span.start : shift(span.start, since);
  return start === null || end === null ? null : { start, end };
}

type Charged = Pick<Line, 'span'> & Partial<Pick<Line, 'derivation'>>;

/** What of a charged line can still be given back: a stretch of its span, and its share of the whole. */
export interface Ahead {
  from: Instant;
  to: Instant;
  share: Ratio;
  /** the stretch ends before the line's own span does */
  isCut: boolean;
}

/**
 * The part of a charged line that lies ahead, of its own span; frozen time counts in neither, and a freeze since then moves its end. Where a part was
 * given back before, what lies behind it.
 *
 * @param until an end of the contract that is known, null = none
 * @returns null when nothing lies ahead or the line has no end (`once`, `constant` without an expiration)
 * @example remainingOf({ span: May 2012, … }, at('2012-05-07'), []).share // 25 days of 31 (K5)
 * @example a line for June, the contract ends on 21 June: remainingOf(line, 11 June, [], 21 June).share // 10 days of 30
 */
export function remainingOf(
  line: Charged & Pick<ChargedLine, 'rest'>,
  at: Instant,
  pauses: readonly Pause[],
  until: Instant | null = null,
): Ahead | null {
  const span = movedSpan(line, pauses);
  if (span === null || span.end === null) return null;
  const rest = line.rest === undefined ? span.start : shift(line.rest.at, pausesSince(pauses, line.rest.setAt));
  if (rest === null) return null;
  const from = Math.max(at, span.start, rest);
  const to = Math.min(span.end, until ?? span.end);
  if (to <= from) return null;
  const since = pausesSince(pauses, span.start);
  return { from, to, share: { part: runningTime(from, to, since), whole: runningTime(span.start, span.end, since) }, isCut: to < span.end };
}

/**
 * The instant for which `unitsUntilNow` and `eventsUntilNow` of a Life are to be read: a change due mid-cycle splits the usage
 * there, even when it is carried out late.
 *
 * @example usageCutOf(contract with a change dated 10 June, [], at('2025-06-11')) // 10 June
 */
export function usageCutOf(contract: Contract, pauses: Pause[], now: Instant): Instant {
  const when = contract.pendingChange?.when;
  if (when?.type !== 'date') return now;
  const at = whenAt(contract, when, pauses);
  return at !== null && at < now ? at : now;
}
