import { isPeriodic } from '../../calendar/cycle.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { boundary } from '../../calendar/rhythm.ts';
import type { Contract, ContractDiscount } from '../types.ts';
import { pauseRule } from './pause-rules.ts';
import { rhythmCycle, rhythmOf } from './time.ts';

/**
 * The contract with the end of its discount as its pause rule asks for it: with `run_on` the end of the discount's
 * cycles with the freezes known now, which later freezes don't move; with `move` none. It is set when the first cycle
 * begins, when a discount is given, and when a change brings another rule.
 *
 * @example
 * const signed = signs('2025-01-01', plan('pro')).contract();
 * const contract = { ...signed, discount: discountOf('flat', '5.00'), pauseRules: { plan: { discount: 'run_on' } } };
 * withDiscountEnd(contract, []).discount.endsAt // at('2025-04-01')
 */
export function withDiscountEnd(contract: Contract, pauses: Pause[]): Contract {
  const { discount, start, terms, pauseRules } = contract;
  if (discount === null || start === null || !isPeriodic(terms.cycle)) return contract;
  const runsOn = pauseRule(pauseRules, 'discount') === 'run_on';
  if (runsOn === (discount.endsAt !== undefined)) return contract;
  const { endsAt: _, ...moved } = discount;
  const endsAt = runsOn ? boundary(rhythmOf(contract, pauses), rhythmCycle(contract, idxAfter(contract, discount))) : null;
  return { ...contract, discount: endsAt === null ? moved : { ...moved, endsAt } };
}

/** The index of the first billing period that a discount doesn't apply to, by its number of cycles. */
const idxAfter = ({ cyclesBefore }: Contract, discount: ContractDiscount): number =>
  discount.cyclesBefore + discount.duration - cyclesBefore + 1;

/** Whether a billing period begins after the end of a discount that freezes don't move. */
export function hasRunOut(
  contract: Pick<Contract, 'start' | 'terms' | 'offset' | 'firstCycle'>,
  { endsAt }: ContractDiscount,
  idx: number,
  pauses: Pause[],
): boolean {
  const { start, offset, terms } = contract;
  if (endsAt === undefined || start === null) return false;
  const begins = boundary({ start, cycle: terms.cycle, offset, pauses }, rhythmCycle(contract, idx));
  return begins !== null && begins >= endsAt;
}
