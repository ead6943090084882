/** Which way a change goes: to another plan, or to other units. What isn't cheaper per year goes up. */
export type ChangeDirection = 'upgrade' | 'downgrade' | 'units_up' | 'units_down';

/** All directions, in the order in which they are shown. */
export const CHANGE_DIRECTIONS: readonly ChangeDirection[] = ['upgrade', 'downgrade', 'units_up', 'units_down'];

/**
 * How a change inside a cycle is charged. `time`: the unused time is given back, the rest of the cycle charged.
 * `difference`: the new full price less the old one. `full`: a new billing period begins at the full new price. `none`:
 * the new price counts from the next cycle.
 */
export type Proration = 'time' | 'difference' | 'full' | 'none';

/** What is done in one direction of change. */
export interface ChangeRule {
  /** when a change takes effect whose caller doesn't say */
  when: 'now' | 'next_cycle';
  proration: Proration;
  /** whether the change makes an invoice, or its lines wait for the next one of the contract */
  collect: 'now' | 'next_invoice';
  /** `none`: no line gives anything back */
  credit: 'wallet' | 'none';
}

/** Rules as they are given at one place: a direction that is absent is looked up at the next place. */
export type GivenChangeRules = { [Direction in ChangeDirection]?: ChangeRule };

/** Where a rule comes from, in the order in which the places are looked up. */
export type RulePlace = 'contract' | 'plan' | 'vendor' | 'default';

/** What each place gave when the contract was signed; a change to another plan replaces the plan's. */
export type CopiedChangeRules = { [Place in Exclude<RulePlace, 'default'>]?: GivenChangeRules };

/** The rule that a change follows, and where it comes from. */
export interface FollowedRule extends ChangeRule {
  direction: ChangeDirection;
  from: RulePlace;
}

const UP: ChangeRule = { when: 'now', proration: 'time', collect: 'now', credit: 'wallet' };
const DOWN: ChangeRule = { ...UP, when: 'next_cycle' };

/** What holds where no place gives a rule. */
export const DEFAULT_CHANGE_RULES: Record<ChangeDirection, ChangeRule> = { upgrade: UP, downgrade: DOWN, units_up: UP, units_down: DOWN };

const PLACES = ['contract', 'plan', 'vendor'] as const;

/**
 * The rule of one direction: whole from the first place that gives one, of contract, plan and vendor.
 *
 * @example
 * const full = { when: 'now', proration: 'full', collect: 'now', credit: 'wallet' };
 * const none = { ...full, proration: 'none' };
 * changeRuleOf({ plan: { upgrade: full }, vendor: { upgrade: none, units_up: none } }, 'upgrade').proration // 'full'
 * changeRuleOf({ plan: { upgrade: full }, vendor: { upgrade: none, units_up: none } }, 'units_up').from // 'vendor'
 * changeRuleOf({ plan: { upgrade: full } }, 'downgrade').when // 'next_cycle'
 */
export function changeRuleOf(copied: CopiedChangeRules, direction: ChangeDirection): FollowedRule {
  const from = PLACES.find((place) => copied[place]?.[direction] !== undefined);
  const given = from === undefined ? undefined : copied[from]?.[direction];
  const { when, proration, collect, credit } = given ?? DEFAULT_CHANGE_RULES[direction];
  return { direction, from: from ?? 'default', when, proration, collect, credit };
}

/** The rules of a contract that is signed: places that give none are left out. */
export function copiedRules(places: { contract: GivenChangeRules; plan: GivenChangeRules; vendor: GivenChangeRules }): CopiedChangeRules {
  return Object.fromEntries(Object.entries(places).filter(([, given]) => Object.keys(given).length > 0));
}

/**
 * The rules after a change: what was given on the contract, and what its vendor gave at the signing, go along; the
 * plan's are those of the plan that it is changed to.
 */
export function rulesAfter({ contract = {}, vendor = {} }: CopiedChangeRules, plan: GivenChangeRules): CopiedChangeRules {
  return copiedRules({ contract, plan, vendor });
}
