import { type Cycle, isPeriodic } from '../../calendar/cycle.ts';
import type { Instant } from '../../calendar/instant.ts';
import { type Pause, pausesSince, runningTime } from '../../calendar/pauses.ts';
import { FULL, type Ratio } from '../../calendar/ratio.ts';
import type { Period } from '../../calendar/rhythm.ts';
import type { Line } from '../../invoice/types.ts';
import type { Contract } from '../types.ts';
import { pauseRule } from './pause-rules.ts';
import { cancellationAt, expirationAt, paysInFreezes, periodBounds, periodShare, rhythmOf } from './time.ts';

/**
 * When a contract will end, as far as that is known: by its expiration or a cancellation that waits, whichever comes
 * first.
 *
 * @returns null when no end is known, and while a freeze makes it unknown
 * @example
 * const contract = signs('2025-06-01', plan('pro'), { expiration: '2025-06-21' }).contract();
 * knownEnd(contract, []) // at('2025-06-21')
 */
export function knownEnd(contract: Contract, pauses: Pause[]): Instant | null {
  return earlier(expirationAt(contract, pauses), cancellationAt(contract, pauses));
}

/**
 * The earlier of two ends, null = never.
 *
 * @example earlier(null, at('2025-06-21')) // at('2025-06-21')
 */
export function earlier(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

/**
 * The later of two ends, null = never.
 *
 * @example later(at('2025-06-21'), at('2025-07-01')) // at('2025-07-01')
 */
export function later(a: Instant | null, b: Instant | null): Instant | null {
  return a === null || b === null ? null : Math.max(a, b);
}

/**
 * The time that the recurring lines of a period pay for: the billing period; with `once` and `constant` the whole
 * contract, where its expiration is known.
 *
 * @example
 * const offer = plan('pro', { price: '1200', cycle: 'constant' });
 * const contract = signs('2025-06-01', offer, { expiration: '2026-06-01' }).contract();
 * paidBounds(contract, 1, []) // { start: at('2025-06-01'), end: at('2026-06-01') }
 */
export function paidBounds(contract: Contract, idx: number, pauses: Pause[]): Period {
  const bounds = periodBounds(contract, idx, pauses);
  return isPeriodic(contract.terms.cycle) ? bounds : { ...bounds, end: expirationAt(contract, pauses) };
}

/**
 * The share of what a period's recurring lines pay for that [from, to) is: of the whole natural period, with `once` and
 * `constant` of the whole span to the expiration. The whole where there is nothing to pro-rate over.
 *
 * @example
 * const offer = plan('pro', { price: '1200', cycle: 'constant' });
 * const contract = signs('2025-06-01', offer, { expiration: '2026-06-01' }).contract();
 * paidShare(contract, 1, at('2025-12-01'), at('2026-06-01'), []) // { part: 182 * DAY, whole: 365 * DAY }
 */
export function paidShare(contract: Contract, idx: number, from: Instant, to: Instant | null, pauses: Pause[]): Ratio {
  if (to === null || isPeriodic(contract.terms.cycle)) return periodShare(contract, idx, from, to, pauses);
  const { start, end } = paidBounds(contract, idx, pauses);
  if (end === null) return FULL;
  const { since, before } = unpaid(contract, pauses);
  const part = runningTime(from, to, since) - (from < (contract.expiration?.setAt ?? from) ? before : 0);
  return { part, whole: runningTime(start, end, since) - before };
}

/**
 * The frozen time that a price for the whole span isn't paid for: that which has moved its end. Where this runs on,
 * frozen time is paid for like any other.
 */
function unpaid(contract: Contract, pauses: Pause[]): { since: Pause[]; before: number } {
  const { carried, expiration, pauseRules } = contract;
  const from = Math.max(rhythmOf(contract, pauses).start, expiration?.setAt ?? 0);
  return { since: pauseRule(pauseRules, 'expiration') === 'move' ? pausesSince(pauses, from) : [], before: carried.frozen ?? 0 };
}

/**
 * The freezes that move the time a line of a chain pays for. Of a line for a whole span these are only those that came
 * while its end did not run on.
 *
 * @param contract the one that the chain has come to
 * @example
 * const offer = plan('pro', { price: '365', cycle: 'constant', pauseRules: { expiration: 'run_on' } });
 * const work = workOn(signs('2025-06-01', offer, { expiration: '2026-06-01' }), '2025-06-20');
 * const { contract, running } = work.snapshot;
 * const frozen = [{ from: at('2025-06-05'), to: at('2025-06-15') }];
 * movedBy(contract, running[0], frozen) // []
 */
export function movedBy(contract: Contract, { derivation }: Pick<Line, 'derivation'>, pauses: Pause[]): Pause[] {
  const cycle = derivation.cycle as Cycle | undefined;
  if (pauses.length === 0 || cycle === undefined || isPeriodic(cycle)) return pauses;
  const ranOn = ranOnUntil(contract, Number.POSITIVE_INFINITY);
  return ranOn.length === 0 ? pauses : pauses.filter(({ from }) => !ranOn.some((time) => from >= time.from && from < time.to));
}

/** The times up to an instant whose freezes moved no end of a whole span of a chain. */
export function ranOnUntil(contract: Contract, to: Instant): NonNullable<Contract['carried']['ranOn']> {
  const { carried, expiration } = contract;
  const own = expiration !== null && paysInFreezes(contract) ? [{ from: expiration.setAt, to }] : [];
  return [...(carried.ranOn ?? []), ...own];
}

/**
 * By how many milliseconds freezes had moved the end of a whole span until a change, if the new contract has another
 * pause rule for it.
 */
export function frozenBefore(old: Contract, fresh: Contract, pauses: Pause[]): number {
  if (old.expiration === null || fresh.start === null || fresh.start !== old.start || isPeriodic(fresh.terms.cycle)) return 0;
  const { since, before } = unpaid(old, pauses);
  const isSame = pauseRule(old.pauseRules, 'expiration') === pauseRule(fresh.pauseRules, 'expiration');
  return isSame ? before : since.reduce((all, { from, to }) => all + (to ?? from) - from, before);
}

/** The time of a period in which usage of one price is counted. */
interface UsageTime {
  from: Instant;
  /** null: it has no end, or none that is known */
  until: Instant | null;
  /** it begins with a change to another price or another cycle */
  isNew: boolean;
}

/**
 * The share of the whole natural period that usage pays minimum and fees for. A period that the expiration cuts off
 * counts to its natural end, since an expiration neither pro-rates nor credits; what begins with a change of price
 * counts to the expiration, as all that a change charges. A cancellation at the same instant comes first, and pro-rates
 * (docs/order-at-one-instant.md). `once` and `constant` are pro-rated over their whole span to the expiration; the
 * share is the whole where none is known.
 *
 * @example
 * const contract = signs('2025-06-01', plan('pro')).contract();
 * const half = { from: at('2025-06-01'), until: at('2025-06-16'), isNew: false };
 * usageShare(contract, 1, half, []) // { part: 15 * DAY, whole: 30 * DAY }
 * @example
 * const contract = signs('2025-06-01', plan('pro'), { expiration: '2025-06-16' }).contract();
 * const time = { from: at('2025-06-01'), until: at('2025-06-16') };
 * usageShare(contract, 1, { ...time, isNew: false }, []) // { part: 30 * DAY, whole: 30 * DAY }
 * usageShare(contract, 1, { ...time, isNew: true }, []) // { part: 15 * DAY, whole: 30 * DAY }
 */
export function usageShare(contract: Contract, idx: number, time: UsageTime, pauses: Pause[]): Ratio {
  const { from, until, isNew } = time;
  const end = isNew ? earlier(until, expirationAt(contract, pauses)) : uncutEnd(contract, idx, time, pauses);
  return paidShare(contract, idx, from, end, pauses);
}

/** The end that an expiration doesn't cut off. */
function uncutEnd(contract: Contract, idx: number, { from, until }: UsageTime, pauses: Pause[]): Instant | null {
  const isWhole = until === null ? !isPeriodic(contract.terms.cycle) : until > from && expiredAt(contract, until, pauses);
  if (!isWhole) return until;
  return contract.start === null ? null : paidBounds(contract, idx, pauses).end;
}

/**
 * When a contract has ended, for what it was charged beyond that; null while it lives, and where it has expired: an
 * expiration leaves whole what was charged.
 *
 * @example
 * const story = signs('2025-06-01', plan('pro', { price: '30' }), { expiration: '2025-06-21' });
 * story.advance('2025-06-21');
 * cutOffAt(story.contract(), []) // null
 */
export function cutOffAt(contract: Contract, pauses: Pause[]): Instant | null {
  const { ended, status } = contract;
  const hasExpired = ended !== null && status === 'canceled' && expiredAt(contract, ended, pauses);
  return hasExpired ? null : ended;
}

function expiredAt(contract: Contract, at: Instant, pauses: Pause[]): boolean {
  return at === expirationAt(contract, pauses) && at !== cancellationAt(contract, pauses);
}
