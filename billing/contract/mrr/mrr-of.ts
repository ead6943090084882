import { isPeriodic, perYear } from '../../calendar/cycle.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { FULL, share } from '../../calendar/ratio.ts';
import { exactNets } from '../../invoice/charge.ts';
import { sum } from '../../money/decimal.ts';
import { moneyText } from '../../money/round.ts';
import { recurringCharges } from '../charge/charges.ts';
import { discountIn } from '../period/cycles-left.ts';
import { isFrozen } from '../period/time.ts';
import type { Contract } from '../types.ts';

const MONTHS = 12;

/**
 * The monthly recurring revenue (MRR) of a contract as it is now: a twelfth of the yearly value of its recurring price,
 * after the discount and the free cycles of its current period, rounded once, at the end. Usage, one-off and on-demand
 * prices aren't in it, nor month, quarter and year prices. A stub counts as a whole cycle.
 *
 * @returns money of the contract's currency; zero unless a paid period is running: before the activation, in a trial or
 *   a freeze, after the end, and for `once` and `constant`
 * @example
 * const story = signs('2025-01-01', plan('pro', { price: '100', cycle: 'year' }));
 * mrrOf(story.contract(), []) // '8.33'
 * mrrOf(story.contract(), [{ from: at('2025-02-01'), to: null }]) // '0.00'
 */
export function mrrOf(contract: Contract, pauses: Pause[]): string {
  const { terms, currentIdx: idx } = contract;
  const { currency, cycle } = terms;
  if (idx === null || !earns(contract, pauses)) return moneyText('0', currency);
  const charges = recurringCharges(contract, { at: 0, span: { start: 0, end: null }, ratio: FULL, idx }, false);
  // a price counts as it is sold, with or without tax in it
  const price = sum(exactNets(charges, { currency, discount: discountIn(contract, idx, pauses) }));
  const { part, whole } = perYear(cycle);
  return moneyText(share(price.times(part), { part: 1, whole: whole * MONTHS }), currency);
}

/** Whether a contract has a paid period that is running, so that its MRR may be above zero. */
export function earns({ status, currentIdx, terms }: Contract, pauses: readonly Pause[]): boolean {
  return status === 'active' && currentIdx !== null && isPeriodic(terms.cycle) && !isFrozen(pauses);
}
