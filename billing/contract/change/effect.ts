import { isPeriodic } from '../../calendar/cycle.ts';
import type { ChangeRule, Proration } from '../terms/change-rules.ts';
import type { Contract } from '../types.ts';

/** What becomes of time that is paid for already. */
export type Unused = 'given_back' | 'lost' | 'goes_on';

/** What a change inside a cycle does to the lines before it, and which lines it makes. */
export interface ChangeEffect {
  /**
   * the unused time of what was charged before: `given_back` by credit lines, `lost`, or it `goes_on` to pay for the
   * new contract, so that a later change may give it back
   */
  unused: Unused;
  /** the same of month, quarter and year lines, which have spans of their own */
  unusedCustom: Unused;
  /** the `rest` of the cycle, a whole `cycle`, the `difference` of full prices, or `nothing` before the next cycle */
  charged: 'rest' | 'cycle' | 'difference' | 'nothing';
  /** whether a new billing period begins with the change, and usage is counted from zero */
  beginsPeriod: boolean;
  /** whether its lines are invoiced at once, or wait for the next invoice */
  collected: 'now' | 'next_invoice';
}

const BY_PRORATION: Record<Proration, Omit<ChangeEffect, 'collected'>> = {
  time: { unused: 'given_back', unusedCustom: 'given_back', charged: 'rest', beginsPeriod: false },
  difference: { unused: 'goes_on', unusedCustom: 'goes_on', charged: 'difference', beginsPeriod: false },
  full: { unused: 'lost', unusedCustom: 'given_back', charged: 'cycle', beginsPeriod: true },
  none: { unused: 'goes_on', unusedCustom: 'goes_on', charged: 'nothing', beginsPeriod: false },
};

/**
 * What a rule does inside a cycle: the whole table of rules. Without credit, nothing is given back.
 *
 * @example
 * const rule = { when: 'now', proration: 'time', collect: 'now', credit: 'wallet' };
 * effectOfRule(rule).unused // 'given_back'
 * effectOfRule({ ...rule, credit: 'none' }).unused // 'lost'
 * effectOfRule({ ...rule, proration: 'full' }).charged // 'cycle'
 */
export function effectOfRule({ proration, collect, credit }: ChangeRule): ChangeEffect {
  const effect = BY_PRORATION[proration];
  const withCredit = (unused: Unused): Unused => (unused === 'given_back' && credit === 'none' ? 'lost' : unused);
  return { ...effect, unused: withCredit(effect.unused), unusedCustom: withCredit(effect.unusedCustom), collected: collect };
}

/**
 * What a rule does to one change. At the end of a cycle a new one begins anyway and is invoiced at once. Prices in two
 * currencies have no difference. Another cycle begins at the change, so there is no later one whose price `none` could
 * wait for. `once` and `constant` make no invoice by themselves that lines could wait for.
 *
 * @param boundary the change is at the end of the current period
 */
export function effectIn(rule: ChangeRule, old: Contract, { terms }: Pick<Contract, 'terms'>, boundary: boolean): ChangeEffect {
  const isOtherCycle = terms.cycle !== old.terms.cycle;
  const isOtherCurrency = terms.currency !== old.terms.currency;
  const byTime = isOtherCurrency || (boundary && rule.proration === 'full') || (isOtherCycle && rule.proration === 'none');
  const isNow = boundary || isOtherCurrency || !isPeriodic(terms.cycle);
  const effect = effectOfRule(byTime ? { ...rule, proration: 'time' } : rule);
  return isNow ? { ...effect, collected: 'now' } : effect;
}
