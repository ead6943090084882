import type { Instant } from '../../billing/calendar/instant.ts';

/** When an event that an endpoint didn't take is sent again. */
export interface RetrySchedule {
  /** milliseconds from each failed try to the next; the last pause is repeated */
  readonly pauses: readonly number[];
  /** milliseconds after the first failed try from which on there is no further one */
  readonly giveUpAfter: number;
}

/**
 * The instant of the next try; null: there is none any more.
 *
 * @param failures how many tries of the event have failed, this one included
 * @param failingSince instant of the first of them
 * @example nextTryAt({ pauses: [5_000, 30_000], giveUpAfter: 60_000 }, 1, { failingSince: 0, now: 0 }) // 5000
 */
export function nextTryAt(
  { pauses, giveUpAfter }: RetrySchedule,
  failures: number,
  { failingSince, now }: { failingSince: Instant; now: Instant },
): Instant | null {
  const at = now + (pauses[Math.min(failures, pauses.length) - 1] ?? 0);
  return at > failingSince + giveUpAfter ? null : at;
}
