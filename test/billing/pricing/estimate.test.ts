import {
  type Estimate,
  type EstimateTerms,
  estimatedAmount,
  estimatedCharges,
  type PricedItem,
  priceEstimate,
} from '../../../billing/pricing/estimate.ts';
import type { ChargeTrigger, Price } from '../../../billing/pricing/price.ts';
import { flat, perUnit, tiers, unitTiered, usage, usageTiered } from './prices.ts';

const month: EstimateTerms = { cycle: 'month', dueDatePolicy: 'start_of_period', currency: 'usd' };
const item = (trigger: ChargeTrigger, price: Price, units = '1'): PricedItem => ({ trigger, price, units });

/** [at the start, minimum usage, at the end] */
function figures({ cycleStartCharges, minimumUsage, extraCycleEndCharges }: Estimate): string[] {
  return [cycleStartCharges, minimumUsage, extraCycleEndCharges];
}

const items: PricedItem[] = [
  item('every_cycle', flat('100')),
  item('every_cycle', perUnit('10', { flatFee: '3', batchSize: 5 }), '12'),
  item('every_cycle', usage('0.5', { minimumUnits: '10', flatFee: '2' })),
  item('first_cycle', flat('49')),
  item('on_demand', perUnit('7'), '2'),
  item('month', flat('1')),
  item('quarter', flat('3')),
  item('year', flat('12')),
];

test('a full cycle due at its start: 100 + 153 flat and per unit, 7 minimum usage', () => {
  const estimate = priceEstimate(items, month);
  expect(figures(estimate.recurringPrice)).toEqual(['253.00', '7.00', '0.00']);
  expect(figures(estimate.oneTimePrice)).toEqual(['49.00', '0.00', '0.00']);
  expect(figures(estimate.onDemandPrice)).toEqual(['14.00', '0.00', '0.00']);
  expect(Object.values(estimate.customCycleCharges).map((part) => part.cycleStartCharges)).toEqual([
    '0.00',
    '0.00',
    '1.00',
    '3.00',
    '12.00',
  ]);
  expect(estimatedAmount(items, month)).toBe('260.00');
  expect(estimatedCharges(items, month)).toBe('253.00');
});

test('due at the end of the period the same 253.00 are extra cycle end charges; what is charged on demand is due when made', () => {
  const terms: EstimateTerms = { ...month, dueDatePolicy: 'end_of_period' };
  const estimate = priceEstimate(items, terms);
  expect(figures(estimate.recurringPrice)).toEqual(['0.00', '7.00', '253.00']);
  expect(figures(estimate.oneTimePrice)).toEqual(['0.00', '0.00', '49.00']);
  expect(figures(estimate.onDemandPrice)).toEqual(['14.00', '0.00', '0.00']);
  expect(figures(estimate.customCycleCharges.periodicYearly)).toEqual(['0.00', '0.00', '12.00']);
  expect(estimatedAmount(items, terms)).toBe('260.00');
});

test.each(['once', 'constant'] as const)('%s has no recurring price: 253 + 49 and 7 minimum usage are paid one time', (cycle) => {
  const terms: EstimateTerms = { ...month, cycle, dueDatePolicy: 'end_of_period' };
  const estimate = priceEstimate(items, terms);
  expect(figures(estimate.recurringPrice)).toEqual(['0.00', '0.00', '0.00']);
  expect(figures(estimate.oneTimePrice)).toEqual(['302.00', '7.00', '0.00']);
  expect(estimatedAmount(items, terms)).toBe('309.00');
  expect(estimatedCharges(items, terms)).toBe('302.00');
});

test.each([
  ['usage without minimum or fee', usage('0.5'), '0.00'],
  ['a minimum of 30 @0.5', usage('0.5', { minimumUnits: '30' }), '15.00'],
  ['a minimum of 3 @0.0295 is 0.0885', usage('0.0295', { minimumUnits: '3' }), '0.09'],
  ['a tier’s fee of 10 at zero', usageTiered('volume', tiers(['100', '2', '10'], [null, '1'])), '10.00'],
  ['a minimum of 101 in volume tiers', usageTiered('volume', tiers(['100', '2', '10'], [null, '1']), { minimumUnits: '101' }), '101.00'],
])('minimum usage of %s', (_, price, expected) => {
  expect(priceEstimate([item('every_cycle', price, '999')], month).recurringPrice.minimumUsage).toBe(expected);
});

test('each price is rounded as its own line: 0.005 + 0.005 are 0.02', () => {
  const estimate = priceEstimate([item('every_cycle', flat('0.005')), item('every_cycle', flat('0.005'))], month);
  expect(estimate.recurringPrice.cycleStartCharges).toBe('0.02');
});

test('unit tiers count as charges: 20 graduated seats are 127.50', () => {
  const seats = unitTiered('graduated', tiers(['5', '7'], ['10', '6.5'], [null, '6']));
  expect(estimatedAmount([item('every_cycle', seats, '20')], month)).toBe('127.50');
});

test('a plan without prices costs 0.00', () => {
  expect(estimatedAmount([], month)).toBe('0.00');
});
