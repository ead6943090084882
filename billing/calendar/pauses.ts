import type { Instant } from './instant.ts';

/**
 * Time in which a customer is frozen, half-open; `to` is null while it lasts. Lists of pauses are sorted and disjoint.
 */
export interface Pause {
  from: Instant;
  to: Instant | null;
}

/**
 * The instant to which frozen time moves something that was due at `t`. A pause that begins exactly at the moved
 * instant doesn't move it any further.
 *
 * @returns null while a pause that began before it is still open: unknown until the customer is activated
 * @example shift(at('2025-02-01'), [{ from: at('2025-01-10'), to: at('2025-01-15') }]) // at('2025-02-06')
 */
export function shift(t: Instant, pauses: readonly Pause[]): Instant | null {
  let moved = t;
  for (const { from, to } of pauses) {
    if (from >= moved) break;
    if (to === null) return null;
    moved += to - from;
  }
  return moved;
}

/**
 * When something happens that has a fixed date, which frozen time doesn't move: on that date, or, if the customer is
 * frozen then, at the end of that freeze. A freeze that begins exactly at the date comes after it.
 *
 * @returns null while a freeze that began before it is still open: unknown until the customer is activated
 * @example runOn(at('2025-01-12'), [{ from: at('2025-01-10'), to: at('2025-01-15') }]) // at('2025-01-15')
 * @example runOn(at('2025-02-01'), [{ from: at('2025-01-10'), to: at('2025-01-15') }]) // at('2025-02-01')
 */
export function runOn(t: Instant, pauses: readonly Pause[]): Instant | null {
  let then = t;
  for (const { from, to } of pauses) {
    if (from >= then) break;
    if (to === null) return null;
    if (to > then) then = to;
  }
  return then;
}

/**
 * An instant less the frozen time before it; within a pause it stays where the pause began.
 * The inverse of `shift` for instants outside pauses.
 *
 * @example unshift(at('2025-02-06'), [{ from: at('2025-01-10'), to: at('2025-01-15') }]) // at('2025-02-01')
 */
export function unshift(t: Instant, pauses: readonly Pause[]): Instant {
  let frozen = 0;
  for (const { from, to } of pauses) {
    if (from >= t) break;
    frozen += Math.min(to ?? t, t) - from;
  }
  return t - frozen;
}

/**
 * Milliseconds of [from, to) outside pauses; zero when `to` isn't after `from`.
 *
 * @example
 * const frozen = [{ from: at('2025-01-10'), to: at('2025-01-15') }];
 * runningTime(at('2025-01-01'), at('2025-01-31'), frozen) // 25 * DAY
 */
export function runningTime(from: Instant, to: Instant, pauses: readonly Pause[]): number {
  return to <= from ? 0 : unshift(to, pauses) - unshift(from, pauses);
}

/**
 * Frozen time from `t` on. A pause that is still open stays whole.
 *
 * @example
 * const frozen = [{ from: at('2025-01-05'), to: at('2025-01-15') }];
 * pausesFrom(frozen, at('2025-01-10')) // [{ from: at('2025-01-10'), to: at('2025-01-15') }]
 */
export function pausesFrom(pauses: readonly Pause[], t: Instant): Pause[] {
  return pauses
    .filter(({ to }) => to === null || to > t)
    .map((pause) => (pause.to === null ? pause : { from: Math.max(pause.from, t), to: pause.to }));
}

/** The pauses that begin at `t` or later: only they can move what is counted from `t`. */
export function pausesSince(pauses: readonly Pause[], t: Instant): Pause[] {
  return pauses.filter((pause) => pause.from >= t);
}
