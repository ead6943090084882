import { isPeriodic } from '../../calendar/cycle.ts';
import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { boundary } from '../../calendar/rhythm.ts';
import { rhythmCycle, rhythmOf, trialEndOf } from '../period/time.ts';
import type { Contract } from '../types.ts';
import { amountOf } from './cost.ts';

/**
 * What lists and summaries show of a contract: the price of a cycle as text, and when the next one begins, as far as
 * that is known.
 */
export interface ContractFigures {
  amount: string;
  nextCycleStart: Instant | null;
}

/**
 * The figures of a contract as it is now.
 *
 * @example
 * const offer = plan('pro', { price: '29', features: { seats: seats('10', '5') } });
 * figuresOf(signs('2025-01-31', offer).contract(), []) // { amount: '79.00', nextCycleStart: at('2025-02-28') }
 */
export function figuresOf(contract: Contract, pauses: Pause[]): ContractFigures {
  return { amount: amountOf(contract), nextCycleStart: nextCycleStart(contract, pauses) };
}

/**
 * When the next billing period begins: in a trial at its end; null while nothing is known to begin.
 *
 * @example nextCycleStart(signs('2025-01-31', plan('pro')).contract(), []) // at('2025-02-28')
 */
export function nextCycleStart(contract: Contract, pauses: Pause[]): Instant | null {
  if (contract.status !== 'active') return null;
  if (contract.start === null) return trialEndOf(contract, pauses);
  if (contract.currentIdx === null || !isPeriodic(contract.terms.cycle)) return null;
  return boundary(rhythmOf(contract, pauses), rhythmCycle(contract, contract.currentIdx + 1));
}
