import { DAY, type Instant } from '../calendar/instant.ts';
import { type Pause, shift } from '../calendar/pauses.ts';

/** The retries of an invoice so far. `failures` counts failed attempts, the first one included. */
export interface DunningState {
  firstFailure: Instant;
  failures: number;
  /** whole days after the first failure, growing */
  retryDays: readonly number[];
  /** the last failure can't be solved by another try */
  givenUp: boolean;
}

/**
 * When a payment is tried again: a number of days after the first failure, frozen time not counted.
 *
 * @returns null after the last retry, after a failure that another try can't solve, and while a freeze makes it unknown
 * @example
 * const dunning = { firstFailure: at('2025-01-01'), failures: 2, retryDays: [1, 3, 5, 7], givenUp: false };
 * retryAt(dunning, []) // at('2025-01-04')
 */
export function retryAt({ firstFailure, failures, retryDays, givenUp }: DunningState, pauses: readonly Pause[]): Instant | null {
  const days = retryDays[failures - 1];
  if (givenUp || days === undefined) return null;
  return shift(firstFailure + days * DAY, pausesAfter(pauses, firstFailure));
}

/**
 * When dunning ends: on the day of the last retry, frozen time not counted, also where the payments were given up
 * before.
 *
 * @returns null while a freeze makes it unknown
 * @example
 * const dunning = { firstFailure: at('2025-01-01'), retryDays: [1, 3, 5, 7] };
 * dunningEndsAt(dunning, []) // at('2025-01-08')
 */
export function dunningEndsAt(
  { firstFailure, retryDays }: Pick<DunningState, 'firstFailure' | 'retryDays'>,
  pauses: readonly Pause[],
): Instant | null {
  return shift(firstFailure + (retryDays.at(-1) ?? 0) * DAY, pausesAfter(pauses, firstFailure));
}

/** Frozen time after an instant: of a pause under way then, what is left of it. */
function pausesAfter(pauses: readonly Pause[], t: Instant): Pause[] {
  return pauses.filter(({ to }) => to === null || to > t).map(({ from, to }) => ({ from: Math.max(from, t), to }));
}
