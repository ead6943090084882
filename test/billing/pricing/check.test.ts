import type { UnitPricing } from '../../../billing/pricing/price.ts';
import {
  boughtUnits,
  CHARGE_TRIGGERS,
  type ChargeTrigger,
  checkPrice,
  isUnitPriced,
  isUsagePriced,
  type Price,
} from '../../../billing/pricing/price.ts';
import { chargedUnits, checkUnits } from '../../../billing/pricing/quantity.ts';
import { flat, perUnit, price, tiers, unitTiered, usage, usageTiered } from './prices.ts';

function problems(of: Price, chargeTrigger: ChargeTrigger | null = 'every_cycle'): string[] {
  return checkPrice(of, 'price', { chargeTrigger }).map(({ field, code }) => `${field} ${code}`);
}

const details = 'price.strategy_details';

/** What each problem tells to give instead. */
const REMEDIES: Record<string, string> = {
  negative: 'give zero or more',
  invalid_decimal: 'give plain decimal text such as "10.50", without exponent, sign + or blanks',
  too_many_digits: 'give at most 26 digits before and 12 after the decimal point',
  minimum_above_maximum: 'give a minimum of at most maximum_units',
  no_tiers: 'give at least one tier, the last one with up_to null',
  amount_not_used: 'give "0": the tiers carry the prices',
  last_tier_not_open: 'give null in the last tier',
  open_tier_not_last: 'give a number; only the last tier is open',
  tiers_overlap: 'give tiers in ascending order, each ending above the one before',
  usage_needs_every_cycle: 'use charge_trigger "every_cycle" for a usage price, or another strategy',
  'price.free_cycles invalid_count': 'give a whole number from 0',
  'price.strategy_details.batch_size invalid_count': 'give a whole number from 1 to 2147483647, or leave it out',
};
const good = tiers(['5', '7'], ['10', '6.5', '1'], [null, '6']);

test.each([
  ['flat', flat('10')],
  ['free', flat('0')],
  ['26 and 12 digits', flat('99999999999999999999999999.999999999999')],
  ['per unit with all limits', perUnit('10', { unitCount: '5', minimumUnits: '5', maximumUnits: '5', batchSize: 5, flatFee: '0' })],
  ['per unit, default rounded up into the limits', perUnit('10', { unitCount: '3', minimumUnits: '5', maximumUnits: '10', batchSize: 5 })],
  ['usage with all limits', usage('0.0006', { minimumUnits: '1', maximumUnits: '2', batchSize: 1, overUsagePrice: '0', flatFee: '1' })],
  ['unit tiers', unitTiered('graduated', good)],
  ['usage tiers', usageTiered('volume', good, { minimumUnits: '3', batchSize: 2_147_483_647 })],
  ['a first tier up to half a unit', usageTiered('volume', tiers(['0.5', '1'], [null, '1']))],
  ['one open tier', usageTiered('volume', tiers([null, '1']))],
])('%s is a good price', (_, of) => {
  expect(problems(of)).toEqual([]);
  expect(problems(of, null)).toEqual([]);
});

test.each([
  ['-1 as amount', flat('-1'), ['price.amount negative']],
  ['1e3 as amount', flat('1e3'), ['price.amount invalid_decimal']],
  ['27 digits', flat('100000000000000000000000000'), ['price.amount too_many_digits']],
  ['13 decimal places', flat('0.0000000000001'), ['price.amount too_many_digits']],
  ['-1 free cycles', { ...flat('1'), freeCycles: -1 }, ['price.free_cycles invalid_count']],
  ['1.5 free cycles', { ...flat('1'), freeCycles: 1.5 }, ['price.free_cycles invalid_count']],
  ['a batch of 0', perUnit('1', { batchSize: 0 }), [`${details}.batch_size invalid_count`]],
  ['a batch of 1.5', usage('1', { batchSize: 1.5 }), [`${details}.batch_size invalid_count`]],
  ['a batch over 32 bits', usage('1', { batchSize: 2_147_483_648 }), [`${details}.batch_size invalid_count`]],
  ['a flat fee of -1', usage('1', { flatFee: '-1' }), [`${details}.flat_fee negative`]],
  ['an over-usage price of -1', usage('1', { overUsagePrice: '-1' }), [`${details}.over_usage_price negative`]],
  [
    'a minimum of 6 above a maximum of 5',
    usage('1', { minimumUnits: '6', maximumUnits: '5' }),
    [`${details}.minimum_units minimum_above_maximum`],
  ],
  [
    'minimum and maximum unreadable',
    usage('1', { minimumUnits: 'x', maximumUnits: '-5' }),
    [`${details}.minimum_units invalid_decimal`, `${details}.maximum_units negative`],
  ],
  [
    'unit minimum above maximum',
    perUnit('1', { minimumUnits: '2', maximumUnits: '1' }),
    [`${details}.minimum_units minimum_above_maximum`],
  ],
  ['a default of 11 above 10', perUnit('1', { unitCount: '11', maximumUnits: '10' }), [`${details}.unit_count above_maximum`]],
  [
    'a default of 11, in batches of 5, above 12',
    perUnit('1', { unitCount: '11', maximumUnits: '12', batchSize: 5 }),
    [`${details}.unit_count above_maximum`],
  ],
  ['a default of 1 below 2', unitTiered('volume', good, { unitCount: '1', minimumUnits: '2' }), [`${details}.unit_count below_minimum`]],
  ['a default of -1', perUnit('1', { unitCount: '-1' }), [`${details}.unit_count negative`]],
  ['no tiers', usageTiered('volume', []), [`${details}.tiers no_tiers`]],
  ['an amount beside tiers', price('1', usageTiered('volume', good).strategy), ['price.amount amount_not_used']],
  ['a closed last tier', usageTiered('volume', tiers(['5', '1'])), [`${details}.tiers[0].up_to last_tier_not_open`]],
  ['an open tier in between', usageTiered('volume', tiers([null, '1'], [null, '2'])), [`${details}.tiers[0].up_to open_tier_not_last`]],
  [
    'overlapping tiers 10, 5',
    usageTiered('volume', tiers(['10', '1'], ['5', '2'], [null, '3'])),
    [`${details}.tiers[1].up_to tiers_overlap`],
  ],
  ['tiers 10, 10', usageTiered('volume', tiers(['10', '1'], ['10', '2'], [null, '3'])), [`${details}.tiers[1].up_to tiers_overlap`]],
  ['an empty first tier', usageTiered('volume', tiers(['0', '1'], [null, '3'])), [`${details}.tiers[0].up_to tiers_overlap`]],
  [
    'tiers 10, x, 5',
    usageTiered('volume', tiers(['10', '1'], ['x', '2'], ['5', '2'], [null, '3'])),
    [`${details}.tiers[1].up_to invalid_decimal`, `${details}.tiers[2].up_to tiers_overlap`],
  ],
  [
    'an unreadable maximum alone, not the minimum of 3 too',
    usage('1', { minimumUnits: '3', maximumUnits: 'x' }),
    [`${details}.maximum_units invalid_decimal`],
  ],
  ['a tier price of -1', usageTiered('volume', tiers([null, '-1'])), [`${details}.tiers[0].unit_price negative`]],
  ['a tier fee of x', usageTiered('volume', tiers([null, '1', 'x'])), [`${details}.tiers[0].flat_fee invalid_decimal`]],
  [
    'a fee of x and a default of -1',
    perUnit('1', { flatFee: 'x', unitCount: '-1' }),
    [`${details}.flat_fee invalid_decimal`, `${details}.unit_count negative`],
  ],
  [
    'three wrong things at once',
    perUnit('-1', { flatFee: 'x', batchSize: -1 }),
    ['price.amount negative', `${details}.batch_size invalid_count`, `${details}.flat_fee invalid_decimal`],
  ],
] as [string, Price, string[]][])('%s is refused by name', (_, of, expected) => {
  expect(problems(of)).toEqual(expected);
  for (const { field, code, message } of checkPrice(of, 'price', { chargeTrigger: null })) {
    if (!field.endsWith('unit_count')) expect(message).toBe(REMEDIES[`${field} ${code}`] ?? REMEDIES[code]);
  }
});

test('the charge triggers are the six of the interface', () => {
  expect(CHARGE_TRIGGERS).toEqual(['every_cycle', 'first_cycle', 'on_demand', 'month', 'quarter', 'year']);
});

test.each(CHARGE_TRIGGERS.filter((trigger) => trigger !== 'every_cycle'))('usage with the charge trigger %s is refused', (trigger) => {
  expect(checkPrice(usage('1'), 'price', { chargeTrigger: trigger })).toEqual([
    { field: `${details}.pricing_strategy`, code: 'usage_needs_every_cycle', message: REMEDIES.usage_needs_every_cycle },
  ]);
  expect(problems(usageTiered('volume', good), trigger)).toEqual([`${details}.pricing_strategy usage_needs_every_cycle`]);
  expect(problems(flat('1'), trigger)).toEqual([]);
});

const seats = perUnit('1', { minimumUnits: '2', maximumUnits: '10', batchSize: 5 }).strategy as UnitPricing;

test.each([
  ['1', [], '5'],
  ['10', [], '10'],
  ['10.5', ['units above_maximum'], '15'],
  ['0', ['units below_minimum'], '0'],
  ['-7', ['units negative'], '-5'],
])('%s seats in batches of 5 between 2 and 10: %j, charged %s', (units, expected, charged) => {
  expect(checkUnits(seats, units, 'units').map(({ field, code }) => `${field} ${code}`)).toEqual(expected);
  expect(chargedUnits(seats, units)).toBe(charged);
});

test('the problem says what to give: at most 10 units, once rounded up to batches of 5', () => {
  expect(checkUnits(seats, '11', 'units')[0]?.message).toBe('give at most 10 units once rounded up to batches of 5');
  expect(checkUnits({ ...seats, batchSize: null }, '1', 'units')[0]?.message).toBe('give at least 2 units');
});

test('bought units: those of the price, 1 of a flat price, 0 of usage', () => {
  expect([boughtUnits(perUnit('1', { unitCount: '7' })), boughtUnits(flat('1')), boughtUnits(usage('1'))]).toEqual(['7', '1', '0']);
  expect([perUnit('1'), unitTiered('volume', good), flat('1'), usage('1')].map(isUnitPriced)).toEqual([true, true, false, false]);
  expect([usage('1'), usageTiered('volume', good), flat('1'), perUnit('1')].map(isUsagePriced)).toEqual([true, true, false, false]);
});
