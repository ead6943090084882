import type { Instant } from './instant.ts';
import { naturalIndex, naturalStart } from './natural.ts';

/**
 * The first instants of the calendar months (UTC) that a span touches.
 *
 * @param to not included: a span up to the first of a month doesn't touch that month
 * @example monthsOf(at('2025-01-15'), at('2025-03-01')) // [at('2025-01-01'), at('2025-02-01')]
 */
export function monthsOf(from: Instant, to: Instant): Instant[] {
  const first = naturalIndex('month', from);
  return Array.from({ length: naturalIndex('month', to - 1) - first + 1 }, (_, n) => naturalStart('month', first + n));
}
