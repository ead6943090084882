import { fail } from '../problem.ts';
import type { Ratio } from './ratio.ts';

/**
 * How often a contract is billed. `once` = one-time payment, `constant` = one payment for the duration of the contract.
 */
export type Cycle = 'once' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | 'constant';

/** A cycle that repeats. */
export type PeriodicCycle = Exclude<Cycle, 'once' | 'constant'>;

/** All cycles. */
export const CYCLES: readonly Cycle[] = ['once', 'hour', 'day', 'week', 'month', 'quarter', 'year', 'constant'];

const PER_YEAR: Record<Cycle, Ratio> = {
  once: { part: 1, whole: 1 },
  hour: { part: 8760, whole: 1 },
  day: { part: 365, whole: 1 },
  week: { part: 365, whole: 7 },
  month: { part: 12, whole: 1 },
  quarter: { part: 4, whole: 1 },
  year: { part: 1, whole: 1 },
  constant: { part: 1, whole: 1 },
};

/** Whether a text names a cycle. */
export function isCycle(value: string): value is Cycle {
  return Object.hasOwn(PER_YEAR, value);
}

/** Whether a cycle repeats: all but `once` and `constant`. */
export function isPeriodic(cycle: Cycle): cycle is PeriodicCycle {
  return cycle !== 'once' && cycle !== 'constant';
}

/**
 * How many cycles a year has, as an exact fraction, to compare prices of different cycles. `once` and `constant` count
 * as they are.
 *
 * @throws BillingError `unknown_cycle`
 * @example perYear('week') // { part: 365, whole: 7 }
 */
export function perYear(cycle: Cycle): Ratio {
  const factor = isCycle(cycle) ? PER_YEAR[cycle] : undefined;
  return factor ?? fail('cycle', 'unknown_cycle', `give one of ${CYCLES.join(', ')}`);
}
