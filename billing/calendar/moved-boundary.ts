import type { Instant } from './instant.ts';
import { boundary, indexOf, type Rhythm } from './rhythm.ts';

/**
 * Where a freeze moves an instant that lies behind its beginning: a boundary to where the same boundary is now, which
 * is counted from the end of the period that the freeze fell in; anything else by the length of the freeze.
 *
 * @param rhythm as it was, with the freezes before this one
 * @example
 * const rhythm = { start: at('2025-01-30'), cycle: 'month', offset: null, pauses: [] };
 * const freeze = { from: at('2025-02-10'), to: at('2025-02-15') };
 * movedBoundary(rhythm, freeze, at('2025-03-30')) // at('2025-04-05')
 * movedBoundary(rhythm, freeze, at('2025-03-29')) // at('2025-04-03')
 */
export function movedBoundary(rhythm: Rhythm, freeze: { from: Instant; to: Instant }, instant: Instant): Instant {
  const n = indexOf(rhythm, instant);
  const moved = instant + freeze.to - freeze.from;
  if (boundary(rhythm, n) !== instant) return moved;
  return boundary({ ...rhythm, pauses: [...rhythm.pauses, freeze] }, n) ?? moved;
}
