import { checkDiscount, type DiscountInput } from '../../../billing/contract/terms/check-discount.ts';
import { checkPlan, type PlanInput, type PricingInput } from '../../../billing/contract/terms/check-terms.ts';
import type { FieldProblem } from '../../../billing/problem.ts';
import { perUnit, priceOf, usage } from '../invoice/build.ts';

function pricing(more: Partial<PricingInput> = {}): PricingInput {
  return { currency: 'usd', cycle: 'month', freeCycles: 0, price: priceOf('10'), features: {}, groups: {}, ...more };
}

function plan(more: Partial<PlanInput> = {}): PlanInput {
  return { slug: 'pro', internalName: 'Pro', strategy: 'plan', freeTrialDays: 0, features: [], pricings: [pricing()], ...more };
}

function feature(slug: string, chargeTrigger = 'every_cycle', group: string | null = null): PlanInput['features'][number] {
  return { slug, name: slug, chargeTrigger, group, value: null };
}

function seats(features: PricingInput['features'], trigger?: string): PlanInput {
  return plan({ features: [feature('seats', trigger)], pricings: [pricing({ features })] });
}

function grouped(groups: PricingInput['groups'], more: Partial<PricingInput> = {}): PlanInput {
  return plan({
    strategy: 'group',
    features: [feature('chat', 'every_cycle', 'support')],
    pricings: [pricing({ price: null, groups, ...more })],
  });
}

/** What each problem tells to give instead, by code, or by field and code. */
const REMEDIES: Record<string, string> = {
  'slug blank': 'give a slug',
  'internal_name blank': 'give a name',
  'features[0].slug blank': 'give a slug',
  unknown_strategy: 'give one of plan, feature, group',
  'free_trial_days invalid_count': 'give a whole number from 0 to 36500',
  'pricings[0].free_cycles invalid_count': 'give a whole number from 0 to 10000',
  no_pricing: 'give at least one pricing',
  unknown_currency: 'give an ISO 4217 code such as usd, jpy or kwd',
  unknown_cycle: 'give one of once, hour, day, week, month, quarter, year, constant',
  duplicate_pricing: 'there is a pricing in usd a month already; give one of each',
  'pricings[0].price price_not_used': 'leave it out, or use strategy "plan"',
  'pricings[0].groups.support price_not_used': 'leave it out, or use strategy "group"',
  'pricings[0].features.chat price_not_used': 'leave it out: the price of group "support" covers it',
  usage_needs_feature: 'price usage on a feature: it is reported by its slug',
  duplicate_slug: '"a" is taken by an earlier feature; give another slug',
  unknown_charge_trigger: 'give one of every_cycle, first_cycle, on_demand, month, quarter, year',
  unknown_feature: 'give the slug of a feature of this plan',
  group_not_used: 'leave it out, or use strategy "group"',
  'features[0].group unknown_group': 'give group "support" a price, or leave the group out',
  'pricings[0].groups.other unknown_group': 'give the group of a feature of this plan',
  missing_price: 'give the price of this group',
  // what a price says for itself
  negative: 'give zero or more',
  too_many_digits: 'give at most 26 digits before and 12 after the decimal point',
  invalid_decimal: 'give plain decimal text such as "10.50", without exponent, sign + or blanks',
  minimum_above_maximum: 'give a minimum of at most maximum_units',
  tiers_overlap: 'give tiers in ascending order, each ending above the one before',
  usage_needs_every_cycle: 'use charge_trigger "every_cycle" for a usage price, or another strategy',
};

function remedy(field: string, code: string): string | undefined {
  return REMEDIES[`${field} ${code}`] ?? REMEDIES[code];
}

function found(problems: FieldProblem[]): [string, string][] {
  return problems.map(({ field, code }) => [field, code]);
}

const tier = (upTo: string | null, unitPrice = '1'): { upTo: string | null; unitPrice: string; flatFee: null } => ({
  upTo,
  unitPrice,
  flatFee: null,
});
const tiers = (...list: ReturnType<typeof tier>[]): ReturnType<typeof priceOf> =>
  priceOf('0', { ...perUnit(), kind: 'unit_tiered', tierMode: 'graduated', tiers: list });

test('sound plans of all three strategies have no problems', () => {
  expect(checkPlan(plan({ pricings: [pricing(), pricing({ cycle: 'year' }), pricing({ currency: 'eur' })] }))).toEqual([]);
  expect(
    checkPlan(
      plan({
        strategy: 'feature',
        features: [feature('seats')],
        pricings: [pricing({ price: null, features: { seats: priceOf('1', perUnit()) } })],
      }),
    ),
  ).toEqual([]);
  expect(checkPlan(grouped({ support: priceOf('5') }))).toEqual([]);
  expect(checkPlan(seats({ seats: priceOf('0.01', usage()) }))).toEqual([]);
  expect(checkPlan(plan({ freeTrialDays: 36_500, pricings: [pricing({ freeCycles: 10_000 })] }))).toEqual([]);
  expect(checkPlan(plan({ features: [feature('sso'), feature('setup', 'first_cycle')] }))).toEqual([]);
  expect(checkPlan(plan({ pricings: [pricing({ price: null })] }))).toEqual([]);
});

test.each<[string, PlanInput, string, string]>([
  ['a blank slug', plan({ slug: ' ' }), 'slug', 'blank'],
  ['a blank name', plan({ internalName: ' ' }), 'internal_name', 'blank'],
  ['an unknown strategy', plan({ strategy: 'bundle', pricings: [pricing({ price: null })] }), 'strategy', 'unknown_strategy'],
  ['-1 days of trial', plan({ freeTrialDays: -1 }), 'free_trial_days', 'invalid_count'],
  ['half a day of trial', plan({ freeTrialDays: 0.5 }), 'free_trial_days', 'invalid_count'],
  ['36,501 days of trial', plan({ freeTrialDays: 36_501 }), 'free_trial_days', 'invalid_count'],
  ['no pricing', plan({ pricings: [] }), 'pricings', 'no_pricing'],
  ['an unknown currency', plan({ pricings: [pricing({ currency: 'USD' })] }), 'pricings[0].currency', 'unknown_currency'],
  ['an unknown cycle', plan({ pricings: [pricing({ cycle: 'fortnight' })] }), 'pricings[0].cycle', 'unknown_cycle'],
  ['-1 free cycles', plan({ pricings: [pricing({ freeCycles: -1 })] }), 'pricings[0].free_cycles', 'invalid_count'],
  ['10,001 free cycles', plan({ pricings: [pricing({ freeCycles: 10_001 })] }), 'pricings[0].free_cycles', 'invalid_count'],
  [
    'two pricings a month in usd',
    plan({ pricings: [pricing(), pricing({ cycle: 'year' }), pricing()] }),
    'pricings[2]',
    'duplicate_pricing',
  ],
  ['strategy feature with a plan price', plan({ strategy: 'feature' }), 'pricings[0].price', 'price_not_used'],
  [
    'a plan price for usage',
    plan({ pricings: [pricing({ price: priceOf('1', usage()) })] }),
    'pricings[0].price.strategy_details.pricing_strategy',
    'usage_needs_feature',
  ],
  ['a negative price', plan({ pricings: [pricing({ price: priceOf('-1') })] }), 'pricings[0].price.amount', 'negative'],
  ['27 digits', plan({ pricings: [pricing({ price: priceOf('1'.repeat(27)) })] }), 'pricings[0].price.amount', 'too_many_digits'],
  [
    '13 decimal places',
    plan({ pricings: [pricing({ price: priceOf(`0.${'1'.repeat(13)}`) })] }),
    'pricings[0].price.amount',
    'too_many_digits',
  ],
  ['a price in words', plan({ pricings: [pricing({ price: priceOf('ten') })] }), 'pricings[0].price.amount', 'invalid_decimal'],
  ['a blank feature slug', plan({ features: [feature(' ')] }), 'features[0].slug', 'blank'],
  ['two features of one slug', plan({ features: [feature('a'), feature('b'), feature('a')] }), 'features[2].slug', 'duplicate_slug'],
  ['an unknown charge trigger', plan({ features: [feature('a', 'weekly')] }), 'features[0].charge_trigger', 'unknown_charge_trigger'],
  [
    'a price for no feature',
    plan({ features: [feature('calls')], pricings: [pricing({ features: { seats: priceOf('1') } })] }),
    'pricings[0].features.seats',
    'unknown_feature',
  ],
  [
    'a minimum of 5 above a maximum of 2',
    seats({ seats: priceOf('1', perUnit({ minimumUnits: '5', maximumUnits: '2' })) }),
    'pricings[0].features.seats.strategy_details.minimum_units',
    'minimum_above_maximum',
  ],
  [
    'tiers that overlap: up to 10, up to 5',
    seats({ seats: tiers(tier('10'), tier('5'), tier(null)) }),
    'pricings[0].features.seats.strategy_details.tiers[1].up_to',
    'tiers_overlap',
  ],
  [
    'usage that is charged each month',
    seats({ seats: priceOf('1', usage()) }, 'month'),
    'pricings[0].features.seats.strategy_details.pricing_strategy',
    'usage_needs_every_cycle',
  ],
  ['a group in a plan without groups', plan({ features: [feature('a', 'every_cycle', 'support')] }), 'features[0].group', 'group_not_used'],
  [
    'group prices in a plan without groups',
    plan({ pricings: [pricing({ groups: { support: priceOf('1') } })] }),
    'pricings[0].groups.support',
    'price_not_used',
  ],
  ['a group without a price', grouped({}), 'features[0].group', 'unknown_group'],
  ['a price for no group', grouped({ support: priceOf('5'), other: priceOf('1') }), 'pricings[0].groups.other', 'unknown_group'],
  [
    'a group price for usage',
    grouped({ support: priceOf('1', usage()) }),
    'pricings[0].groups.support.strategy_details.pricing_strategy',
    'usage_needs_feature',
  ],
  [
    'a feature priced beside its group',
    grouped({ support: priceOf('5') }, { features: { chat: priceOf('1') } }),
    'pricings[0].features.chat',
    'price_not_used',
  ],
])('%s is refused by its field', (_, input, field, code) => {
  expect(checkPlan(input)).toEqual([{ field, code, message: remedy(field, code) }]);
});

test('a feature outside the groups has a price of its own; a group where there are none is refused once, its price in each pricing', () => {
  const mixed = grouped({ support: priceOf('5') }, { features: { seats: priceOf('1') } });
  expect(checkPlan({ ...mixed, features: [...mixed.features, feature('seats')] })).toEqual([]);
  const input = plan({
    features: [feature('chat', 'every_cycle', 'support')],
    pricings: [pricing({ features: { chat: priceOf('1') }, groups: { support: priceOf('5') } }), pricing({ cycle: 'year' })],
  });
  expect(found(checkPlan(input))).toEqual([
    ['features[0].group', 'group_not_used'],
    ['pricings[0].groups.support', 'price_not_used'],
  ]);
});

test('a group that only one of two pricings prices is missing in the other', () => {
  const input = grouped({ support: priceOf('5') });
  const other = pricing({ price: null, cycle: 'year' });
  expect(checkPlan({ ...input, pricings: [...input.pricings, other] })).toEqual([
    { field: 'pricings[1].groups.support', code: 'missing_price', message: REMEDIES.missing_price },
  ]);
});

test('a price is judged as charged every cycle when the trigger itself is unknown', () => {
  expect(found(checkPlan(seats({ seats: priceOf('1', usage()) }, 'weekly')))).toEqual([
    ['features[0].charge_trigger', 'unknown_charge_trigger'],
  ]);
});

test('names of the prototype are no groups and no features', () => {
  const input = plan({ strategy: 'group', features: [feature('chat', 'every_cycle', 'toString')], pricings: [pricing({ price: null })] });
  expect(found(checkPlan(input))).toEqual([['features[0].group', 'unknown_group']]);
});

test('all problems come at once, each with what to give instead', () => {
  const problems = checkPlan(plan({ slug: '', freeTrialDays: -1, pricings: [pricing({ currency: 'xyz', price: null })] }));
  expect(problems).toEqual([
    { field: 'slug', code: 'blank', message: 'give a slug' },
    { field: 'free_trial_days', code: 'invalid_count', message: 'give a whole number from 0 to 36500' },
    { field: 'pricings[0].currency', code: 'unknown_currency', message: 'give an ISO 4217 code such as usd, jpy or kwd' },
  ]);
});

function discount(more: Partial<DiscountInput> = {}): DiscountInput {
  return { slug: 'spring', name: 'Spring', type: 'percentage', amount: '10', duration: 3, currency: null, ...more };
}

test('sound discounts have no problems: 100 %, 12.5 %, 10.00 usd, a percentage with a currency', () => {
  expect(checkDiscount(discount({ amount: '100' }))).toEqual([]);
  expect(checkDiscount(discount({ amount: '12.5', duration: 1 }))).toEqual([]);
  expect(checkDiscount(discount({ type: 'flat', amount: '10.05', currency: 'usd' }))).toEqual([]);
  expect(checkDiscount(discount({ type: 'flat', amount: '1000', currency: 'usd', duration: 2_147_483_647 }))).toEqual([]);
  expect(checkDiscount(discount({ amount: '12.345', currency: 'usd' }))).toEqual([]);
});

const DISCOUNT_REMEDIES: Record<string, string> = {
  'slug blank': 'give a slug',
  'name blank': 'give a name',
  unknown_discount_type: 'give one of percentage, flat',
  above_hundred: 'give at most "100"',
  not_positive: 'give more than zero',
  missing_currency: 'give the currency of the flat amount',
  unknown_currency: 'give an ISO 4217 code such as usd, jpy or kwd',
  invalid_count: 'give a whole number of cycles from 1',
};

test.each<[string, Partial<DiscountInput>, string, string]>([
  ['a blank slug', { slug: ' ' }, 'slug', 'blank'],
  ['a blank name', { name: ' ' }, 'name', 'blank'],
  ['an unknown type', { type: 'half' }, 'discount_type', 'unknown_discount_type'],
  ['100.01 %', { amount: '100.01' }, 'amount', 'above_hundred'],
  ['0 %', { amount: '0' }, 'amount', 'not_positive'],
  ['-5 %', { amount: '-5' }, 'amount', 'not_positive'],
  ['27 digits', { type: 'flat', currency: 'usd', amount: '1'.repeat(27) }, 'amount', 'too_many_digits'],
  ['words', { amount: 'ten' }, 'amount', 'invalid_decimal'],
  ['10.005 usd', { type: 'flat', currency: 'usd', amount: '10.005' }, 'amount', 'too_many_digits'],
  ['a flat amount without currency', { type: 'flat' }, 'currency', 'missing_currency'],
  ['an unknown currency', { type: 'flat', currency: 'xyz' }, 'currency', 'unknown_currency'],
  ['0 cycles', { duration: 0 }, 'duration', 'invalid_count'],
  ['-1 cycles', { duration: -1 }, 'duration', 'invalid_count'],
  ['1.5 cycles', { duration: 1.5 }, 'duration', 'invalid_count'],
  ['more cycles than fit', { duration: 2_147_483_648 }, 'duration', 'invalid_count'],
])('a discount with %s is refused by its field', (_, more, field, code) => {
  const message = DISCOUNT_REMEDIES[`${field} ${code}`] ?? DISCOUNT_REMEDIES[code] ?? expect.any(String);
  expect(checkDiscount(discount(more))).toEqual([{ field, code, message }]);
});

test('the message for 10.005 usd names the digits of its currency, for words what a decimal is, for a wrong type no digits', () => {
  const message = (more: Partial<DiscountInput>) => checkDiscount(discount(more)).map((one) => one.message);
  expect(message({ type: 'flat', currency: 'usd', amount: '10.005' })).toEqual(['give at most 2 digits after the decimal point']);
  expect(message({ amount: 'ten' })).toEqual(['give plain decimal text such as "10.50", without exponent, sign + or blanks']);
  expect(message({ type: 'half', amount: '101.005', currency: 'usd' })).toEqual(['give one of percentage, flat']);
  expect(message({ type: 'flat', amount: '101', currency: 'usd' })).toEqual([]);
});
