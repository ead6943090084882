import type { Instant } from '../../billing/calendar/instant.ts';
import { firstTimePartAt } from '../id.ts';
import type { UsageMonth } from '../sql/usage/months-to-make.ts';

/** The month of an instant and those after it. */
export function monthsFrom(now: Instant, ahead: number): UsageMonth[] {
  const first = new Date(now);
  const startOf = (n: number): Instant => Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + n, 1);
  return Array.from({ length: ahead + 1 }, (_, n) => ({
    name: `usage_month_${new Date(startOf(n)).toISOString().slice(0, 7).replace('-', '_')}`,
    from: firstIdAt(startOf(n)),
    to: firstIdAt(startOf(n + 1)),
  }));
}

/** What every id of an event made at an instant or later is above. */
const firstIdAt = (at: Instant): string => `Evt_${firstTimePartAt(at)}`;
