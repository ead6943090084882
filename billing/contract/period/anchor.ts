import type { Cycle } from '../../calendar/cycle.ts';
import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import type { Contract } from '../types.ts';
import { cycleEnd } from './time.ts';

/** What a successor's periods are counted from. */
export type Anchor = Pick<Contract, 'start' | 'offset' | 'firstCycle' | 'cyclesBefore' | 'currentIdx' | 'customCharged'>;

const NONE_CHARGED = { month: -1, quarter: -1, year: -1 };

/** Whether a new billing period begins with a change: at the end of the current one, or as the change's rule says. */
export interface Begin {
  boundary: boolean;
  begins?: boolean;
  /** the running period goes on as it was paid, and the new price is that of the next one */
  pricesLater?: boolean;
}

/** Whether an instant is the end of the contract's current period, or of its trial. */
export function isAtBoundary(contract: Contract, at: Instant, pauses: Pause[]): boolean {
  return cycleEnd(contract, pauses) === at;
}

/**
 * What the successor of a contract counts its periods from. With the same cycle, start and boundaries stay: in
 * mid-cycle the period goes on, at a boundary the next one begins. A new cycle, or a cycle that the rule of the change
 * cuts short, begins at the change. Used cycles are counted along the chain.
 *
 * @example
 * const old = signs('2025-01-31', plan('pro', { price: '100' })).contract();
 * anchorOf(old, 'month', at('2025-02-16'), { boundary: false }).start // at('2025-01-31')
 * anchorOf(old, 'year', at('2025-02-16'), { boundary: false }).start // at('2025-02-16')
 */
export function anchorOf(old: Contract, cycle: Cycle, at: Instant, { boundary, begins = false }: Begin): Anchor {
  const isSameCycle = cycle === old.terms.cycle && !begins;
  const offset = isSameCycle ? old.offset : null;
  const common = { offset, currentIdx: null, customCharged: NONE_CHARGED };
  const idx = old.currentIdx ?? 0;
  if (old.start === null) return { ...common, start: null, firstCycle: 0, cyclesBefore: old.cyclesBefore };
  if (!isSameCycle) return { ...common, start: at, firstCycle: 0, cyclesBefore: old.cyclesBefore + idx };
  const passed = boundary ? idx : idx - 1;
  return { ...common, start: old.start, firstCycle: old.firstCycle + passed, cyclesBefore: old.cyclesBefore + passed };
}
