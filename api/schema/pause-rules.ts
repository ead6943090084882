import { z } from 'zod';

/** Ten years: a longer freeze is a mistake. */
const MOST_DAYS = 3_650;

const InFreeze = z.enum(['move', 'run_on']).meta({
  id: 'InFreeze',
  description:
    'move: frozen time moves the date; run_on: the date stays, and where it lies in a freeze, what is due then is done at the activation, in the declared order.',
});

const days = z.int().min(1).max(MOST_DAYS);

const rules = {
  resume_after_days: days
    .nullable()
    .describe(
      'Days of 24 hours after which a freeze ends by itself, where the call that freezes gives no `resume_at`; null: it lasts until the customer is activated. With several contracts the smallest number counts. A freeze because of an unpaid invoice does not end by itself.',
    ),
  usage: z
    .enum(['refuse', 'hold'])
    .describe('Usage reported in a freeze or for its time. refuse: a 409; hold: it is taken and counts in the period that runs after it.'),
  trial: InFreeze.describe('What a freeze does to the end of the free trial.'),
  expiration: InFreeze.describe('What a freeze does to the expiration.'),
  discount: InFreeze.describe(
    'What a freeze does to the end of a discount. run_on: it applies to cycles that begin before the day on which its last cycle was to end.',
  ),
};

export const PauseRules = z.object(rules).meta({ id: 'PauseRules', description: 'What a freeze of its customer means for a contract.' });

const given = {
  resume_after_days: days.nullish().describe('Days of 24 hours after which a freeze ends by itself; null: it does not.'),
  usage: rules.usage.nullish().describe('Usage in a freeze: refuse or hold.'),
  trial: rules.trial.nullish().describe('The end of the free trial: move or run_on.'),
  expiration: rules.expiration.nullish().describe('The expiration: move or run_on.'),
  discount: rules.discount.nullish().describe('The end of a discount: move or run_on.'),
};

export const PauseRulesRequest = z.strictObject(given).meta({
  id: 'PauseRulesRequest',
  description:
    'Rules for freezes. A rule that is absent, or null, is looked up at the next place: plan, vendor, default; but `resume_after_days: null` is a rule: a freeze does not end by itself.',
});

export const PausePreferencesRequest = z
  .strictObject({
    ...given,
    pause_rules: PauseRulesRequest.nullish().describe('The same rules in one field, as plans have them.'),
  })
  .meta({
    id: 'PausePreferencesRequest',
    description: 'Rules for freezes of contracts that are signed from now on. Absent: not changed, null: the default again.',
  });

export const PausePreferences = PauseRules.extend({
  pause_rules: PauseRules.describe('The same rules in one field, as plans have them.'),
}).meta({ id: 'PausePreferences', description: 'The vendor’s rules for freezes, with the defaults.' });

export const OwnPauseRules = z
  .object({
    resume_after_days: rules.resume_after_days.optional().describe('As the plan says; absent: as the vendor’s preferences say.'),
    usage: rules.usage.nullable().describe('As the plan says; null: as the vendor’s preferences say.'),
    trial: rules.trial.nullable().describe('As the plan says; null: as the vendor’s preferences say.'),
    expiration: rules.expiration.nullable().describe('As the plan says; null: as the vendor’s preferences say.'),
    discount: rules.discount.nullable().describe('As the plan says; null: as the vendor’s preferences say.'),
  })
  .meta({ id: 'OwnPauseRules', description: 'The rules for freezes that a plan gives.' });

const Place = z
  .enum(['plan', 'vendor', 'default'])
  .meta({ id: 'PauseRulePlace', description: 'Who gave the rule: the plan, the vendor’s preferences, or nobody.' });

export const PauseRulesFrom = z
  .object({
    resume_after_days: Place.describe('Where this rule comes from.'),
    usage: Place.describe('Where this rule comes from.'),
    trial: Place.describe('Where this rule comes from.'),
    expiration: Place.describe('Where this rule comes from.'),
    discount: Place.describe('Where this rule comes from.'),
  })
  .meta({ id: 'PauseRulesFrom', description: 'Where each rule for freezes comes from.' });
