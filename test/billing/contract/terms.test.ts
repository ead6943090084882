import { buildTerms, type Override, samePrice, sameTerms, unitsTakenOver, withOverrides } from '../../../billing/contract/terms/terms.ts';
import type { Terms } from '../../../billing/contract/types.ts';
import type { Price } from '../../../billing/pricing/price.ts';
import { BillingError } from '../../../billing/problem.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { countingIds } from '../../support-billing/ledger.ts';

const tiered: Price = price('0', {
  kind: 'unit_tiered',
  unitName: 'box',
  unitCount: '1',
  minimumUnits: '0',
  maximumUnits: null,
  batchSize: null,
  flatFee: null,
  tierMode: 'volume',
  tiers: [{ upTo: null, unitPrice: '1', flatFee: null }],
});
const offer = planOffer('pro', {
  price: '100',
  groups: { support: seats('7', '1') },
  features: {
    seats: seats('10', '5', { minimum: '2', maximum: '9' }),
    calls: usagePrice('1'),
    boxes: tiered,
    setup: ['first_cycle', price('40')],
  },
});
const terms = buildTerms(offer, {}, countingIds());

function overridden(overrides: Record<string, Omit<Override, 'field'>>): Terms {
  return withOverrides(terms, named(overrides), countingIds());
}

function named(overrides: Record<string, Omit<Override, 'field'>>): Record<string, Override> {
  return Object.fromEntries(Object.entries(overrides).map(([name, one]) => [name, { ...one, field: `configuration.${name}` }]));
}

function problemsOf(overrides: Record<string, Omit<Override, 'field'>>): string[] {
  try {
    overridden(overrides);
  } catch (error) {
    if (error instanceof BillingError) return error.problems.map(({ field, code, message }) => `${field} ${code}: ${message}`);
    throw error;
  }
  return [];
}

const feature = (of: Terms, slug: string): Price | null => of.features.find((one) => one.slug === slug)?.price ?? null;

test('terms are a copy with ids of its own that remembers where it came from', () => {
  expect(terms).toMatchObject({
    id: 'Plan_1',
    originalPlanId: 'Plan_pro',
    pricingId: 'Pric_pro_month_usd',
    slug: 'pro',
    internalName: 'pro',
    strategy: 'plan',
    currency: 'usd',
    cycle: 'month',
    price: { amount: '100' },
    groups: [{ name: 'support', price: { amount: '7' } }],
  });
  expect(terms.features.map(({ id, originalFeatureId, slug, chargeTrigger }) => [id, originalFeatureId, slug, chargeTrigger])).toEqual([
    ['Feat_2', 'Feat_pro_seats', 'seats', 'every_cycle'],
    ['Feat_3', 'Feat_pro_calls', 'calls', 'every_cycle'],
    ['Feat_4', 'Feat_pro_boxes', 'boxes', 'every_cycle'],
    ['Feat_5', 'Feat_pro_setup', 'setup', 'first_cycle'],
  ]);
});

test('a feature without a price is a plain entitlement', () => {
  const plain = { ...offer, pricing: { ...offer.pricing, features: {} } };
  expect(buildTerms(plain, {}, countingIds()).features.map((one) => one.price)).toEqual([null, null, null, null]);
});

test('the plan’s own price goes by the plan’s slug or "plan", a group’s by its name', () => {
  expect(overridden({ pro: { price: '80' } }).price?.amount).toBe('80');
  expect(overridden({ plan: { price: '80' } }).price?.amount).toBe('80');
  const group = overridden({ support: { units: '3.0', price: '6.50', flatFee: '1.0' } }).groups[0];
  expect(group).toMatchObject({ name: 'support', price: { amount: '6.5', strategy: { unitCount: '3', flatFee: '1' } } });
});

test('another price is a price of its own, other units alone are not', () => {
  const before = feature(terms, 'seats');
  expect(feature(overridden({ seats: { units: '7' } }), 'seats')).toEqual({ ...before, strategy: { ...before?.strategy, unitCount: '7' } });
  expect(feature(overridden({ seats: { price: '8' } }), 'seats')).toMatchObject({ id: 'Price_1', amount: '8' });
  expect(feature(overridden({ calls: { flatFee: '2' } }), 'calls')).toMatchObject({
    id: 'Price_1',
    amount: '1',
    strategy: { flatFee: '2' },
  });
  expect(overridden({ seats: { units: null, price: null, flatFee: null } })).toEqual(terms);
});

test('of a feature and a plan of one name the feature is meant', () => {
  const twin = buildTerms(planOffer('pro', { price: '100', features: { pro: price('5') } }), {}, countingIds());
  const found = withOverrides(twin, named({ pro: { price: '6' } }), countingIds());
  expect([found.price?.amount, feature(found, 'pro')?.amount]).toEqual(['100', '6']);
});

test.each<[string, Record<string, Omit<Override, 'field'>>, string[]]>([
  [
    'units of usage',
    { calls: { units: '3' } },
    ['configuration.calls units_not_changeable: leave the units out: the price is not per unit bought'],
  ],
  ['10 seats of at most 9', { seats: { units: '10' } }, ['configuration.seats above_maximum: give at most 9 units']],
  ['a price of -1', { seats: { price: '-1' } }, ['configuration.seats.price negative: give zero or more']],
  ['a fee of -1', { seats: { flatFee: '-1' } }, ['configuration.seats.flat_fee negative: give zero or more']],
  [
    'a price beside tiers',
    { boxes: { price: '3' } },
    ['configuration.boxes.price price_not_changeable: leave it out: the tiers carry the prices'],
  ],
  [
    'a fee of a flat price',
    { setup: { flatFee: '3' } },
    ['configuration.setup.flat_fee price_not_changeable: leave it out: a flat price has no fee besides'],
  ],
  [
    'a feature that is none',
    { nothing: { units: '3' } },
    ['configuration.nothing unknown_feature: give the slug of a feature of the plan that has a price'],
  ],
  [
    'three at once',
    { seats: { units: '1', price: 'x', flatFee: '-1' } },
    [
      'configuration.seats below_minimum: give at least 2 units',
      'configuration.seats.price invalid_decimal: give plain decimal text such as "10.50", without exponent, sign + or blanks',
      'configuration.seats.flat_fee negative: give zero or more',
    ],
  ],
])('%s: refused by field', (_, overrides, expected) => {
  expect(problemsOf(overrides)).toEqual(expected);
});

test('a feature without a price takes no override; names of the prototype are none', () => {
  const plain = buildTerms({ ...offer, pricing: { ...offer.pricing, features: {} } }, {}, countingIds());
  expect(() => withOverrides(plain, named({ seats: { units: '3' } }), countingIds())).toThrow('configuration.seats');
  const odd = buildTerms(planOffer('toString', { price: '1', features: { toString: price('5') } }), {}, countingIds());
  expect(withOverrides(odd, {}, countingIds())).toEqual(odd);
});

test('bought units go on for features, groups and the plan’s own price, where both sides sell units', () => {
  const own = (units: string, maximum = '9') =>
    planOffer('team', {
      price: seats('1', units, { maximum }),
      groups: { support: seats('7', units) },
      features: { seats: seats('10', units), calls: usagePrice('1') },
    });
  const old = buildTerms(own('4'), {}, countingIds());
  expect(Object.entries(unitsTakenOver(old, own('1'))).map(([name, { units }]) => [name, units])).toEqual([
    ['seats', '4'],
    ['support', '4'],
    ['team', '4'],
  ]);
  const limited = own('1', '3');
  expect(Object.keys(unitsTakenOver(old, limited))).toEqual(['seats', 'support']);
  expect(
    Object.keys(unitsTakenOver(old, planOffer('flat', { price: '1', features: { seats: price('5'), calls: seats('1', '1') } }))),
  ).toEqual([]);
  expect(Object.keys(unitsTakenOver(old, planOffer('bare')))).toEqual([]);
});

test('usage tiers carry their prices too', () => {
  const details = { ...tiered.strategy, kind: 'usage_tiered', minimumUnits: null } as Price['strategy'];
  const used = buildTerms(planOffer('u', { features: { boxes: price('0', details) } }), {}, countingIds());
  expect(() => withOverrides(used, named({ boxes: { price: '3' } }), countingIds())).toThrow('leave it out: the tiers carry the prices');
});

test('where a plan and its feature have one name, the feature’s units go on under it', () => {
  const twin = (units: string) => planOffer('team', { price: seats('1', '3'), features: { team: seats('10', units) } });
  expect(unitsTakenOver(buildTerms(twin('4'), {}, countingIds()), twin('1'))).toEqual({ team: { units: '4', field: 'team' } });
});

test.each<[string, Partial<Terms>, boolean]>([
  ['ids and names', { id: 'x', slug: 'x', internalName: 'x', externalName: 'x', description: 'x', pricingId: 'x', freeTrialDays: 9 }, true],
  ['features in another order', { features: [...terms.features].reverse() }, true],
  ['another plan', { originalPlanId: 'Plan_x' }, false],
  ['another strategy', { strategy: 'feature' }, false],
  ['another currency', { currency: 'eur' }, false],
  ['another cycle', { cycle: 'year' }, false],
  ['no plan price', { price: null }, false],
  ['another group price', { groups: [{ name: 'support', price: seats('8', '1') }] }, false],
  ['another group', { groups: [{ name: 'other', price: seats('7', '1') }] }, false],
  ['a feature less', { features: terms.features.slice(1) }, false],
  ['another trigger', { features: terms.features.map((one) => ({ ...one, chargeTrigger: 'year' as const })) }, false],
  ['another group of features', { features: terms.features.map((one) => ({ ...one, group: 'support' })) }, false],
  ['another value', { features: terms.features.map((one) => ({ ...one, value: 'priority' })) }, false],
  ['another price of a feature', { features: terms.features.map((one) => ({ ...one, price: price('3') })) }, false],
])('terms with %s: the same? %j', (_, more, expected) => {
  expect(sameTerms(terms, { ...terms, ...more })).toBe(expected);
});

test('groups in another order are the same terms', () => {
  const groups = [...terms.groups, { name: 'audit', price: price('1') }];
  expect(sameTerms({ ...terms, groups }, { ...terms, groups: [...groups].reverse() })).toBe(true);
});

test('prices are the same whatever the order of their keys and their ids, tiers in their order', () => {
  const { strategy, ...rest } = tiered;
  expect(samePrice(tiered, { strategy, ...rest, id: 'Price_x' })).toBe(true);
  expect(samePrice(tiered, { ...tiered, taxCode: 'books' })).toBe(false);
  const two = (...prices: string[]): Price => ({
    ...tiered,
    strategy: { ...tiered.strategy, tiers: prices.map((unitPrice) => ({ flatFee: null, unitPrice, upTo: null })) } as Price['strategy'],
  });
  expect(samePrice(tiered, two('1'))).toBe(true);
  expect(samePrice(two('1', '2'), two('2', '1'))).toBe(false);
  expect([samePrice(null, null), samePrice(null, tiered), samePrice(tiered, null)]).toEqual([true, false, false]);
});
