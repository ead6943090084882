import { isPeriodic } from '../../calendar/cycle.ts';
import type { Instant } from '../../calendar/instant.ts';
import { DAY } from '../../calendar/instant.ts';
import { type Pause, pausesFrom, pausesSince, runningTime, runOn, shift } from '../../calendar/pauses.ts';
import { FULL, type Ratio } from '../../calendar/ratio.ts';
import { boundary, customRhythm, type Period, type Rhythm, spanRatio } from '../../calendar/rhythm.ts';
import type { Occurrence } from '../../explain/derivation.ts';
import type { ShareInTurn } from '../../invoice/in-turn.ts';
import type { ChargedLine, Line } from '../../invoice/types.ts';
import { fail } from '../../problem.ts';
import type { Contract, When } from '../types.ts';
import { pauseRule } from './pause-rules.ts';

/** A charge trigger that comes at its own rhythm from the anchor. */
export type CustomTrigger = 'month' | 'quarter' | 'year';

/** All triggers with a rhythm of their own. */
export const CUSTOM_TRIGGERS: readonly CustomTrigger[] = ['month', 'quarter', 'year'];

/** Whether the customer is frozen: the last freeze has no end yet. */
export function isFrozen(pauses: readonly Pause[]): boolean {
  return pauses.at(-1)?.to === null;
}

/** Whether a contract is live or may still become so: it was neither changed into another nor has it ended. */
export function isLive({ status }: Pick<Contract, 'status'>): boolean {
  return status !== 'moved' && status !== 'canceled';
}

/**
 * The rhythm of a contract whose cycles have begun.
 *
 * @throws BillingError `not_started` before the first period
 * @example boundary(rhythmOf(signs('2025-01-31', plan('pro')).contract(), []), 1) // at('2025-02-28')
 */
export function rhythmOf(contract: Contract, pauses: Pause[]): Rhythm {
  const start = contract.start ?? fail('contract', 'not_started', `${contract.id} has no billing period yet`);
  return { start, cycle: contract.terms.cycle, offset: contract.offset, pauses };
}

/** The rhythm cycle of a billing period. */
export function rhythmCycle({ firstCycle }: Pick<Contract, 'firstCycle'>, idx: number): number {
  return firstCycle + idx - 1;
}

/** The cycle along the chain of changes, by which free and discount cycles count. */
export function chainCycle({ cyclesBefore }: Pick<Contract, 'cyclesBefore'>, idx: number): number {
  return cyclesBefore + idx;
}

/**
 * Bounds of a billing period; `end` is null for `once`, `constant` and while a freeze makes it unknown.
 *
 * @throws BillingError `not_started`, `unknown_period`
 * @example
 * const contract = signs('2025-01-31', plan('pro')).contract();
 * periodBounds(contract, 2, []) // { start: at('2025-02-28'), end: at('2025-03-31') }
 */
export function periodBounds(contract: Contract, idx: number, pauses: Pause[]): Period {
  const rhythm = rhythmOf(contract, pauses);
  const n = rhythmCycle(contract, idx);
  const start = boundary(rhythm, n) ?? fail('period', 'unknown_period', `period ${idx} has no known start`);
  return { start, end: boundary(rhythm, n + 1) };
}

/**
 * The share of the whole natural period that [from, to) of a billing period is; the whole where there is nothing to
 * pro-rate over.
 *
 * @example
 * const contract = signs('2025-06-01', plan('pro')).contract();
 * periodShare(contract, 1, at('2025-06-16'), at('2025-07-01'), []) // { part: 15 * DAY, whole: 30 * DAY }
 */
export function periodShare(contract: Contract, idx: number, from: Instant, to: Instant | null, pauses: Pause[]): Ratio {
  if (to === null || !isPeriodic(contract.terms.cycle)) return FULL;
  return spanRatio(rhythmOf(contract, pauses), rhythmCycle(contract, idx), from, to);
}

/**
 * When an activation takes place: at its instant, or at the end of the freeze it falls into. A freeze that ends before
 * it doesn't move it.
 *
 * @returns null while pending, or while the freeze it falls into lasts
 * @example
 * const frozen = [{ from: at('2025-01-05'), to: at('2025-01-09') }];
 * activationOf({ activation: at('2025-01-07') }, frozen) // at('2025-01-09')
 */
export function activationOf({ activation }: Pick<Contract, 'activation'>, pauses: readonly Pause[]): Instant | null {
  return activation === null ? null : runOn(activation, pauses);
}

/** The times of a contract's free trial, and whether freezes move them. */
type InTrial = Pick<Contract, 'activation' | 'trialEnd' | 'pauseRules'>;

/**
 * When the free trial ends, as freezes move it; where its pause rule says `run_on`, on its date, or when the freeze
 * that this lies in ends.
 *
 * @returns null without a trial, before the activation, or while a freeze makes it unknown
 * @example
 * const contract = { activation: at('2024-01-01'), trialEnd: at('2024-03-31'), pauseRules: {} };
 * trialEndOf(contract, [{ from: at('2024-01-10'), to: at('2024-01-15') }]) // at('2024-04-05')
 * @example
 * const contract = { activation: at('2024-01-01'), trialEnd: at('2024-03-31'), pauseRules: { plan: { trial: 'run_on' } } };
 * trialEndOf(contract, [{ from: at('2024-01-10'), to: at('2024-01-15') }]) // at('2024-03-31')
 * trialEndOf(contract, [{ from: at('2024-03-20'), to: at('2024-04-09') }]) // at('2024-04-09')
 */
export function trialEndOf(contract: InTrial, pauses: readonly Pause[]): Instant | null {
  return contract.trialEnd === null ? null : inTrial(contract, contract.trialEnd, pauses);
}

/**
 * When the event is due that tells of the trial's end: three days before it, in a shorter trial at its beginning.
 * Freezes move it as they move the end.
 *
 * @returns null without a trial, before the activation, or while a freeze makes it unknown
 * @example
 * const contract = { activation: at('2024-01-01'), trialEnd: at('2024-03-31'), pauseRules: {} };
 * trialEndingAt(contract, []) // at('2024-03-28')
 * trialEndingAt({ ...contract, trialEnd: at('2024-01-02') }, []) // at('2024-01-01')
 */
export function trialEndingAt(contract: InTrial, pauses: readonly Pause[]): Instant | null {
  const { activation, trialEnd } = contract;
  return trialEnd === null || activation === null ? null : inTrial(contract, Math.max(activation, trialEnd - BEFORE_TRIAL_END), pauses);
}

/** How long before the end of a trial the event that announces it is due. */
const BEFORE_TRIAL_END = 3 * DAY;

function inTrial({ activation, pauseRules }: InTrial, at: Instant, pauses: readonly Pause[]): Instant | null {
  if (activation === null) return null;
  const since = pausesSince(pauses, activation);
  return pauseRule(pauseRules, 'trial') === 'move' ? shift(at, since) : runOn(at, since);
}

/**
 * End of a trial of a number of days from an activation, before freezes; null without a trial.
 *
 * @example plannedTrialEnd(at('2024-01-01'), 90) // at('2024-03-31')
 */
export function plannedTrialEnd(activation: Instant | null, days: number): Instant | null {
  return activation === null || days === 0 ? null : activation + days * DAY;
}

/**
 * When something planned in a contract's future happens, with the freezes up to now.
 *
 * @returns null while a freeze, or a start that isn't known yet, makes it unknown
 * @example
 * const contract = signs('2025-01-01', plan('pro')).contract();
 * whenAt(contract, { type: 'boundary', n: 2 }, []) // at('2025-03-01')
 * const frozen = [{ from: at('2025-01-10'), to: at('2025-01-15') }];
 * whenAt(contract, { type: 'date', at: at('2025-01-20'), setAt: at('2025-01-05') }, frozen) // at('2025-01-25')
 */
export function whenAt(contract: Contract, when: When, pauses: Pause[]): Instant | null {
  if (when.type === 'date') return shift(when.at, freezesOf(contract, when.setAt, pauses));
  if (contract.start === null) return when.n === 0 ? trialEndOf(contract, pauses) : null;
  return boundary(rhythmOf(contract, pauses), when.n);
}

/**
 * When the contract expires, as freezes move it; where its pause rule says `run_on`, on its date, or when the freeze
 * that this lies in ends.
 *
 * @returns null when never, and while a freeze makes it unknown
 * @example
 * const contract = signs('2025-01-01', plan('pro'), { expiration: '2025-06-01' }).contract();
 * const frozen = [{ from: at('2025-01-10'), to: at('2025-01-15') }];
 * expirationAt(contract, frozen) // at('2025-06-06')
 * expirationAt({ ...contract, pauseRules: { vendor: { expiration: 'run_on' } } }, frozen) // at('2025-06-01')
 */
export function expirationAt(contract: Beginning & Pick<Contract, 'expiration' | 'pauseRules'>, pauses: readonly Pause[]): Instant | null {
  const { expiration, pauseRules } = contract;
  if (expiration === null) return null;
  const since = freezesOf(contract, expiration.setAt, pauses);
  return pauseRule(pauseRules, 'expiration') === 'move' ? shift(expiration.at, since) : runOn(expiration.at, since);
}

/**
 * When a cancellation that waits takes place, as freezes move it. For `once` and `constant` whose expiration runs on
 * it runs on too: frozen time is paid for there like any other.
 *
 * @returns null without one, and while a freeze makes it unknown
 * @example
 * const contract = signs('2025-01-01', plan('pro')).contract();
 * const when = { type: 'date', at: at('2025-01-20'), setAt: at('2025-01-05') };
 * const canceled = { ...contract, cancellation: { when }, pauseRules: { plan: { expiration: 'run_on' } } };
 * const frozen = [{ from: at('2025-01-10'), to: at('2025-01-15') }];
 * cancellationAt(canceled, frozen) // at('2025-01-25')
 * cancellationAt({ ...canceled, terms: { ...contract.terms, cycle: 'constant' } }, frozen) // at('2025-01-20')
 */
export function cancellationAt(contract: Contract, pauses: Pause[]): Instant | null {
  const when = contract.cancellation?.when;
  if (when === undefined) return null;
  if (when.type === 'date' && paysInFreezes(contract)) return runOn(when.at, freezesOf(contract, when.setAt, pauses));
  return whenAt(contract, when, pauses);
}

/** Whether a contract is paid for its whole span, frozen time included: no freeze moves the end of that. */
export function paysInFreezes({ terms, pauseRules }: Pick<Contract, 'terms' | 'pauseRules'>): boolean {
  return !isPeriodic(terms.cycle) && pauseRule(pauseRules, 'expiration') === 'run_on';
}

/** What tells whether a chain of contracts has begun. */
type Beginning = Pick<Contract, 'activation' | 'began' | 'isSuccessor'>;

/**
 * The freezes that move a date of a contract: those since it was set. Before its chain begins only frozen time from the
 * activation on, by which the activation is moved too: no time of the contract was lost before.
 */
function freezesOf({ activation, began, isSuccessor }: Beginning, setAt: Instant, pauses: readonly Pause[]): Pause[] {
  const since = pausesSince(pauses, setAt);
  return began === null && !isSuccessor ? pausesFrom(since, activation ?? Number.POSITIVE_INFINITY) : since;
}

/**
 * The dates of a contract that begins at an instant: freezes before it don't move them any more. Where that is carried
 * out late, those after it count from there.
 *
 * @example
 * const contract = signs('2025-06-01', plan('pro'), { activation: '2025-07-01', expiration: '2025-08-01' }).contract();
 * datesFrom(contract, at('2025-07-01'), []).expiration // { at: at('2025-08-01'), setAt: at('2025-07-01') }
 */
export function datesFrom(contract: Contract, begins: Instant, pauses: Pause[]): Pick<Contract, 'expiration' | 'cancellation'> {
  const { cancellation } = contract;
  const before = pauses.filter(({ from }) => from < begins);
  const expires = expirationAt(contract, before);
  const canceled = cancellation?.when.type === 'date' ? cancellationAt(contract, before) : null;
  return {
    expiration: expires === null ? null : { at: expires, setAt: begins },
    cancellation:
      cancellation && canceled !== null ? { ...cancellation, when: { type: 'date', at: canceled, setAt: begins } } : cancellation,
  };
}

/**
 * End of the current billing period, or of the trial; null when there is none or it is unknown.
 *
 * @example cycleEnd(signs('2025-01-31', plan('pro')).contract(), []) // at('2025-02-28')
 */
export function cycleEnd(contract: Contract, pauses: Pause[]): Instant | null {
  if (contract.start === null) return contract.status === 'active' ? trialEndOf(contract, pauses) : null;
  return contract.currentIdx === null ? null : periodBounds(contract, contract.currentIdx, pauses).end;
}

/**
 * Bounds of one occurrence of a month, quarter or year charge.
 *
 * @param k occurrences before it; 0 begins at the contract's start
 * @throws BillingError `not_started`, `unknown_period` while a freeze makes its start unknown
 * @example
 * const contract = signs('2025-01-31', plan('pro')).contract();
 * customBounds(contract, 'quarter', 1, []) // { start: at('2025-04-30'), end: at('2025-07-31') }
 */
export function customBounds(contract: Contract, trigger: CustomTrigger, k: number, pauses: Pause[]): Period {
  const rhythm = customRhythm(rhythmOf(contract, pauses).start, trigger, pauses);
  const start = boundary(rhythm, k) ?? fail('period', 'unknown_period', `${trigger} ${k} has no known start`);
  return { start, end: boundary(rhythm, k + 1) };
}

/**
 * The time that a charged line pays for, with its end where later freezes have moved it, and its start too where the
 * line was charged before its time; null while a freeze makes that unknown. One that was charged elsewhere for a month,
 * quarter or year to come has the bounds of those charged here: a freeze moves the anchor from which they count on.
 *
 * @example
 * const june = { start: at('2025-06-01'), end: at('2025-07-01') };
 * movedSpan({ span: june }, [{ from: at('2025-06-10'), to: at('2025-06-15') }]).end // at('2025-07-06')
 * @example
 * const ahead = { span: { start: at('2025-06-21'), end: at('2025-07-01') }, derivation: { setAt: at('2025-06-15') } };
 * movedSpan(ahead, [{ from: at('2025-06-16'), to: at('2025-06-18') }]).start // at('2025-06-23')
 */
export function movedSpan({ span, derivation }: Charged, pauses: readonly Pause[]): Line['span'] {
  if (span === null || span.end === null) return span;
  const occurrence = derivation?.occurrence as Occurrence | undefined;
  if (occurrence !== undefined) return boundsOf(occurrence, pauses);
  // a line charged before its time: a freeze before its start moves the start too
  const setAt = derivation?.setAt as Instant | undefined;
  const since = pausesSince(pauses, setAt ?? span.start);
  const end = shift(span.end, since);
  const start = shift(span.start, since);
  return start === null || end === null ? null : { start, end };
}

function boundsOf({ start: began, trigger, k }: Occurrence, pauses: readonly Pause[]): Line['span'] {
  const rhythm = customRhythm(began, trigger, [...pauses]);
  const [start, end] = [boundary(rhythm, k), boundary(rhythm, k + 1)];
  return start === null || end === null ? null : { start, end };
}

/**
 * Where a charged line ends at an end of the contract that was known: the end of its natural period, where later
 * freezes have moved it.
 *
 * @returns null for a line that wasn't cut, and while a freeze makes it unknown
 * @example
 * const cut = { span: { start: at('2025-06-01'), end: at('2025-06-21') }, derivation: { naturalEnd: at('2025-07-01') } };
 * naturalEndOf(cut, [{ from: at('2025-06-10'), to: at('2025-06-15') }]) // at('2025-07-06')
 */
export function naturalEndOf({ span, derivation }: Charged, pauses: readonly Pause[]): Instant | null {
  const naturalEnd = derivation?.naturalEnd as Instant | undefined;
  if (span === null || naturalEnd === undefined) return null;
  return movedSpan({ span: { ...span, end: naturalEnd }, ...(derivation ? { derivation } : {}) }, pauses)?.end ?? null;
}

type Charged = Pick<Line, 'span'> & Partial<Pick<Line, 'derivation'>>;

/** What can still be given back of a charged line: a part of its span, and its share of the whole. */
export interface Ahead {
  from: Instant;
  to: Instant;
  share: ShareInTurn;
  /** the part ends before the line's own span does */
  isCut: boolean;
}

/**
 * The unused part of a charged line, of its own span; frozen time counts in neither, and a later freeze moves the end.
 * Where a part was given back before, only what comes after that part counts.
 *
 * @param until an end of the contract that is known, null = none
 * @returns null when nothing is unused or the line has no end (`once`, `constant` without an expiration)
 * @example
 * const line = { span: { start: at('2012-05-01'), end: at('2012-06-01') } };
 * remainingOf(line, at('2012-05-07'), []).share // { part: 25 * DAY, whole: 31 * DAY }
 * remainingOf(line, at('2012-05-11'), [], at('2012-05-21')).share // { part: 10 * DAY, whole: 31 * DAY }
 */
export function remainingOf(
  line: Charged & Pick<ChargedLine, 'rest'>,
  at: Instant,
  pauses: readonly Pause[],
  until: Instant | null = null,
): Ahead | null {
  const span = movedSpan(line, pauses);
  if (span === null || span.end === null) return null;
  const paidSince = paidFrom(line, span, pauses);
  if (paidSince === null) return null;
  const from = Math.max(at, span.start, paidSince);
  const to = Math.min(span.end, until ?? span.end);
  if (to <= from) return null;
  const since = pausesSince(pauses, span.start);
  const [part, whole] = [runningTime(from, to, since), runningTime(span.start, span.end, since)];
  // a freeze may move the occurrence of a line that was charged elsewhere to one that is some days shorter
  const before = line.rest && Math.min(line.rest.part, whole - part);
  return { from, to, share: { part, whole, ...(before === undefined ? {} : { before }) }, isCut: to < span.end };
}

/**
 * From when on a charged line still pays: from its start, or from where changes have given it back.
 *
 * @param span as freezes have moved it
 * @returns null while a freeze makes it unknown
 * @example
 * const june = { start: at('2025-06-01'), end: at('2025-07-01') };
 * const line = { rest: { at: at('2025-06-21'), setAt: at('2025-06-11'), subtotal: '10.00', part: 10 * DAY } };
 * paidFrom(line, june, [{ from: at('2025-06-12'), to: at('2025-06-14') }]) // at('2025-06-23')
 */
export function paidFrom({ rest }: Pick<ChargedLine, 'rest'>, span: Period, pauses: readonly Pause[]): Instant | null {
  return rest === undefined ? span.start : shift(rest.at, pausesSince(pauses, rest.setAt));
}

/**
 * The instant for which `unitsUntilNow` and `eventsUntilNow` of a snapshot are to be read: a change due in mid-cycle
 * divides the usage at its own instant, even when it is carried out late.
 *
 * @example
 * const story = signs('2025-06-01', plan('pro'));
 * changes(story, '2025-06-05', toPlan(plan('max', { price: '300' }), { activation: '2025-06-10' }));
 * usageCutOf(story.contract(), [], at('2025-06-11')) // at('2025-06-10')
 */
export function usageCutOf(contract: Contract, pauses: Pause[], now: Instant): Instant {
  const when = contract.pendingChange?.when;
  if (when?.type !== 'date') return now;
  const at = whenAt(contract, when, pauses);
  return at !== null && at < now ? at : now;
}
