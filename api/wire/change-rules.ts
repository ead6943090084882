import type { z } from 'zod';
import {
  CHANGE_DIRECTIONS,
  type ChangeDirection,
  type ChangeRule,
  type CopiedChangeRules,
  changeRuleOf,
  DEFAULT_CHANGE_RULES,
  type GivenChangeRules,
} from '../../billing/contract/terms/change-rules.ts';
import type { ChangePreferencesRequest, ChangeRules, ChangeRulesFrom, ChangeRulesRequest, OwnChangeRules } from '../schema/change-rules.ts';

type Input = z.output<typeof ChangeRulesRequest>;
type PartOfRule = NonNullable<Input['upgrade']>;

/** A rule with what was left out: it is stored whole, so that it stays what it was if a default changes. */
function ruleFromWire(direction: ChangeDirection, { when, proration, collect, credit }: PartOfRule): ChangeRule {
  const usual = DEFAULT_CHANGE_RULES[direction];
  return {
    when: when ?? usual.when,
    proration: proration ?? usual.proration,
    collect: collect ?? usual.collect,
    credit: credit ?? usual.credit,
  };
}

/** The directions that are given. */
export function changeRulesFromWire(body: Input | null | undefined): GivenChangeRules {
  const given: GivenChangeRules = {};
  for (const direction of CHANGE_DIRECTIONS) {
    const rule = body?.[direction];
    if (rule != null) given[direction] = ruleFromWire(direction, rule);
  }
  return given;
}

/** What changes in a vendor's rules: null where a direction has its default again. */
export function changePreferencesFromWire({ change_rules, ...own }: z.output<typeof ChangePreferencesRequest>) {
  const body = { ...change_rules, ...own };
  const changed: { [Direction in ChangeDirection]?: ChangeRule | null } = {};
  for (const direction of CHANGE_DIRECTIONS) {
    const rule = body[direction];
    if (rule !== undefined) changed[direction] = rule && ruleFromWire(direction, rule);
  }
  return changed;
}

const by = <T>(of: (direction: ChangeDirection) => T) => ({
  upgrade: of('upgrade'),
  downgrade: of('downgrade'),
  units_up: of('units_up'),
  units_down: of('units_down'),
});

/** The rules that hold, with the defaults. */
export function changeRulesToWire(copied: CopiedChangeRules): z.input<typeof ChangeRules> {
  return by((direction) => {
    const { when, proration, collect, credit } = changeRuleOf(copied, direction);
    return { when, proration, collect, credit };
  });
}

export function changeRulesFromToWire(copied: CopiedChangeRules): z.input<typeof ChangeRulesFrom> {
  return by((direction) => changeRuleOf(copied, direction).from);
}

export function ownChangeRulesToWire(given: GivenChangeRules): z.input<typeof OwnChangeRules> {
  return by((direction) => given[direction] ?? null);
}
