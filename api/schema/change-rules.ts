import { z } from 'zod';

const When = z.enum(['now', 'next_cycle']).meta({
  id: 'ChangeWhen',
  description: 'now: at once; next_cycle: at the end of the cycle. Inside a free trial every change is at once.',
});
const Proration = z.enum(['time', 'difference', 'full', 'none']).meta({
  id: 'ChangeProration',
  description:
    'time: the unused time is given back and the rest of the cycle charged; difference: the new full price less the old one, at least 0, after discount and free cycles, and nothing is given back; full: a new billing period begins at the full new price, usage is counted from zero, and nothing of the old cycle is given back; none: the new price counts from the next cycle.',
});
const Collect = z.enum(['now', 'next_invoice']).meta({
  id: 'ChangeCollect',
  description:
    'now: the change makes an invoice; next_invoice: its lines wait for the next invoice of the contract, and lines that undo each other are left out.',
});
const Credit = z
  .enum(['wallet', 'none'])
  .meta({ id: 'ChangeCredit', description: 'wallet: a surplus goes to the wallet; none: no line gives anything back.' });

const ChangeRule = z
  .object({
    when: When.describe('When a change takes effect whose caller gives no `activation`.'),
    proration: Proration.describe('How a change inside a cycle is charged.'),
    collect: Collect.describe('When its lines are invoiced.'),
    credit: Credit.describe('Whether unused time is given back.'),
  })
  .meta({ id: 'ChangeRule', description: 'What is done in one direction of change.' });

/** A field that is left out is not looked up elsewhere: a rule comes whole from one place. */
const ChangeRuleRequest = z
  .strictObject({
    when: When.nullish().describe('When a change takes effect; absent or null: now for upgrade and units_up, next_cycle for the others.'),
    proration: Proration.nullish().describe('How a change inside a cycle is charged; absent or null: time.'),
    collect: Collect.nullish().describe('When its lines are invoiced; absent or null: now.'),
    credit: Credit.nullish().describe('Whether unused time is given back; absent or null: wallet.'),
  })
  .meta({ id: 'ChangeRuleRequest', description: 'What is done in one direction of change; a field that is left out has its default.' });

const DIRECTIONS = {
  upgrade: 'To another plan that isn’t cheaper per year',
  downgrade: 'To another plan that is strictly cheaper per year',
  units_up: 'To other units that aren’t cheaper',
  units_down: 'To other units that are strictly cheaper',
};

const each = <S extends z.ZodType>(schema: S, text: (what: string) => string) => ({
  upgrade: schema.describe(text(DIRECTIONS.upgrade)),
  downgrade: schema.describe(text(DIRECTIONS.downgrade)),
  units_up: schema.describe(text(DIRECTIONS.units_up)),
  units_down: schema.describe(text(DIRECTIONS.units_down)),
});

export const ChangeRules = z
  .object(each(ChangeRule, (what) => `${what}.`))
  .meta({ id: 'ChangeRules', description: 'How a contract may be changed and how a change is charged, by its direction.' });

const given = each(ChangeRuleRequest.nullish(), (what) => `${what}; absent or null: as the next place says.`);

export const ChangeRulesRequest = z.strictObject(given).meta({
  id: 'ChangeRulesRequest',
  description:
    'Rules by direction of change. A direction that is not given is looked up at the next place: contract, plan, vendor, default.',
});

export const ChangePreferencesRequest = z
  .strictObject({
    ...each(ChangeRuleRequest.nullish(), (what) => `${what}; absent: not changed, null: the default again.`),
    change_rules: ChangeRulesRequest.nullish().describe('The same directions in one field, as plans and contracts have them.'),
  })
  .meta({ id: 'ChangePreferencesRequest', description: 'Rules for changes of contracts that are signed from now on.' });

export const ChangePreferences = ChangeRules.extend({
  change_rules: ChangeRules.describe('The same rules in one field, as plans and contracts have them.'),
}).meta({ id: 'ChangePreferences', description: 'The vendor’s rules for changes, with the defaults.' });

export const OwnChangeRules = z
  .object(each(ChangeRule.nullable(), (what) => `${what}; null: as the vendor’s preferences say.`))
  .meta({ id: 'OwnChangeRules', description: 'The rules that a plan gives, by direction of change.' });

const Place = z.enum(['contract', 'plan', 'vendor', 'default']).meta({
  id: 'ChangeRulePlace',
  description: 'Who gave the rule: the contract itself, its plan, the vendor’s preferences, or nobody.',
});

export const ChangeRulesFrom = z
  .object(each(Place, (what) => `${what}: where its rule comes from.`))
  .meta({ id: 'ChangeRulesFrom', description: 'Where the rule of each direction comes from.' });

export const FollowedRule = ChangeRule.extend({
  direction: z.enum(['upgrade', 'downgrade', 'units_up', 'units_down']).describe('Which way the change goes.'),
  from: Place.describe('Where the rule comes from.'),
}).meta({ id: 'FollowedRule', description: 'The rule that a change follows: that of the contract it leaves.' });
