import { isCheaper } from '../charge/cost.ts';
import { type ChangeDirection, changeRuleOf, type FollowedRule } from '../terms/change-rules.ts';
import type { Contract, PendingChange } from '../types.ts';

/**
 * Which way a change goes: down where the new price is strictly lower per year, else up.
 *
 * @example
 * const old = signs('2025-06-01', plan('pro', { price: '60' })).contract();
 * const fresh = signs('2025-06-01', plan('basic', { price: '30' })).contract();
 * directionOf(old, fresh, 'new_plan') // 'downgrade'
 * directionOf(fresh, old, 'change_unit_count') // 'units_up'
 */
export function directionOf(old: Contract, { terms }: Pick<Contract, 'terms'>, strategy: PendingChange['kind']): ChangeDirection {
  const isDown = isCheaper(old, { terms, configuration: old.configuration });
  if (strategy === 'new_plan') return isDown ? 'downgrade' : 'upgrade';
  return isDown ? 'units_down' : 'units_up';
}

/** The rule that a change follows: that of the contract it leaves. */
export function ruleOf(old: Contract, fresh: Pick<Contract, 'terms'>, strategy: PendingChange['kind']): FollowedRule {
  return changeRuleOf(old.changeRules, directionOf(old, fresh, strategy));
}
