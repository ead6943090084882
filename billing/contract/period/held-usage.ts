import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import type { Contract, UsagePeriod } from '../types.ts';
import { knownEnd } from './known-end.ts';
import { pauseRule } from './pause-rules.ts';
import { usagePeriod } from './periods.ts';
import { trialEndOf } from './time.ts';

/**
 * Whether usage of an instant belongs to the first period although the trial still runs: the trial's fixed date has
 * passed during a freeze, and the first period begins when the freeze ends.
 */
export function isPastTrialDate(contract: Contract, pauses: readonly Pause[], at: Instant): boolean {
  const { trialEnd, start, pauseRules } = contract;
  if (trialEnd === null || at < trialEnd || pauseRule(pauseRules, 'trial') === 'move') return false;
  return at < (start ?? trialEndOf(contract, pauses) ?? Number.POSITIVE_INFINITY);
}

/**
 * Whether a contract takes no usage of an instant, since it has ended by then. A known end counts once it has come,
 * also before it is carried out; usage reported ahead of it is taken.
 *
 * @param now the customer's time
 */
export function isPastEnd(contract: Contract, pauses: Pause[], at: Instant, now: Instant): boolean {
  if (contract.ended !== null) return at >= contract.ended;
  const end = knownEnd(contract, pauses);
  return end !== null && Math.min(at, now) >= end;
}

/**
 * The instant as of which usage counts: its own instant. If it belongs to a first period that a successor has begun
 * instead, because a change came with the end of the trial: the beginning of that period.
 *
 * @example
 * const signed = signs('2025-01-01', plan('pro', { trialDays: 14 })).contract();
 * const moved = { ...signed, ended: at('2025-01-20'), pauseRules: { plan: { trial: 'run_on' } } };
 * const pauses = [{ from: at('2025-01-10'), to: at('2025-01-20') }];
 * countsAsOf(moved, pauses, at('2025-01-16')) // at('2025-01-20')
 * countsAsOf(moved, pauses, at('2025-01-12')) // at('2025-01-12')
 */
export function countsAsOf(contract: Contract, pauses: readonly Pause[], at: Instant): Instant {
  const { start, ended } = contract;
  return start === null && ended !== null && isPastTrialDate(contract, pauses, at) ? ended : at;
}

/**
 * The first period of a contract in its trial, for usage that belongs to it already. While a freeze makes its start
 * unknown it has no end.
 *
 * @example
 * const contract = { ...signs('2025-01-01', plan('pro', { trialDays: 14 })).contract(), pauseRules: { plan: { trial: 'run_on' } } };
 * firstPeriodAhead(contract, [{ from: at('2025-01-10'), to: at('2025-01-20') }]).start // at('2025-01-20')
 * firstPeriodAhead(contract, [{ from: at('2025-01-10'), to: null }]).until // null
 */
export function firstPeriodAhead(contract: Contract, pauses: Pause[]): UsagePeriod {
  const begins = trialEndOf(contract, pauses);
  const start = begins ?? contract.trialEnd ?? contract.created;
  const period = usagePeriod({ ...contract, start }, 1, start, pauses);
  return begins === null ? { ...period, end: null, until: null, closesAt: null } : period;
}
