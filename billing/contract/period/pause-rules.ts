import { DAY, type Instant } from '../../calendar/instant.ts';

/** What frozen time does to a date: it moves it, or the date stays where it is. */
export type InFreeze = 'move' | 'run_on';

/** What a freeze of its customer means for a contract. */
export interface PauseRules {
  /** days after which a freeze ends by itself; null: it lasts until the customer is activated */
  resumeAfterDays: number | null;
  /** `hold`: usage of a freeze is taken, and counts in the period that runs after it */
  usage: 'refuse' | 'hold';
  trial: InFreeze;
  expiration: InFreeze;
  discount: InFreeze;
}

/** Rules as they are given at one place: one that is absent is looked up at the next place. */
export type GivenPauseRules = Partial<PauseRules>;

/** Where a rule comes from, in the order in which the places are looked up. */
export type PauseRulePlace = 'plan' | 'vendor' | 'default';

/** What each place gave when the contract was signed; a change to another plan replaces the plan's. */
export type CopiedPauseRules = { [Place in Exclude<PauseRulePlace, 'default'>]?: GivenPauseRules };

/** What holds where no place gives a rule. */
const DEFAULT_PAUSE_RULES: PauseRules = {
  resumeAfterDays: null,
  usage: 'refuse',
  trial: 'move',
  expiration: 'move',
  discount: 'move',
};

const PLACES = ['plan', 'vendor'] as const;

/**
 * One rule of a contract: from the first place that gives it, of plan and vendor.
 *
 * @example
 * pauseRule({ plan: { usage: 'hold' }, vendor: { usage: 'refuse', trial: 'run_on' } }, 'usage') // 'hold'
 * pauseRule({ plan: { resumeAfterDays: null }, vendor: { resumeAfterDays: 30 } }, 'resumeAfterDays') // null
 * pauseRule({}, 'expiration') // 'move'
 */
export function pauseRule<Name extends keyof PauseRules>(copied: CopiedPauseRules, name: Name): PauseRules[Name] {
  const from = pauseRulePlace(copied, name);
  const given = from === 'default' ? undefined : copied[from]?.[name];
  return given === undefined ? DEFAULT_PAUSE_RULES[name] : (given as PauseRules[Name]);
}

/**
 * Who gave a rule of a contract.
 *
 * @example
 * pauseRulePlace({ plan: { usage: 'hold' }, vendor: { usage: 'refuse', trial: 'run_on' } }, 'trial') // 'vendor'
 * pauseRulePlace({ plan: { usage: 'hold' } }, 'discount') // 'default'
 */
export function pauseRulePlace(copied: CopiedPauseRules, name: keyof PauseRules): PauseRulePlace {
  return PLACES.find((place) => copied[place]?.[name] !== undefined) ?? 'default';
}

/** The rules of a contract that is signed: places that give none are left out. */
export function copiedPauseRules(places: { plan: GivenPauseRules; vendor: GivenPauseRules }): CopiedPauseRules {
  return Object.fromEntries(Object.entries(places).filter(([, given]) => Object.keys(given).length > 0));
}

/**
 * The rules after a change to another plan: what the vendor gave at the signing goes along, the plan's are those of the
 * new one.
 */
export function pauseRulesAfter({ vendor = {} }: CopiedPauseRules, plan: GivenPauseRules): CopiedPauseRules {
  return copiedPauseRules({ plan, vendor });
}

/**
 * When a freeze that begins now ends by itself: after the smallest number of days that a contract says, since none is
 * to pause longer than that.
 *
 * @param rules of the customer's live contracts; of a customer without one, what the vendor gives
 * @returns null: not before the customer is activated
 * @example
 * freezeEndsAt(at('2025-01-10'), [{ plan: { resumeAfterDays: 30 } }, { vendor: { resumeAfterDays: 10 } }]) // at('2025-01-20')
 * freezeEndsAt(at('2025-01-10'), [{}]) // null
 */
export function freezeEndsAt(now: Instant, rules: readonly CopiedPauseRules[]): Instant | null {
  const days = rules.flatMap((one) => pauseRule(one, 'resumeAfterDays') ?? []);
  return days.length === 0 ? null : now + Math.min(...days) * DAY;
}
