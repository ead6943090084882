import { FULL, type Ratio } from '../../../billing/calendar/ratio.ts';
import { moneyText } from '../../../billing/money/round.ts';
import { type Priced, priceAmount } from '../../../billing/pricing/amount.ts';
import type { OverUsageStrategy, Price } from '../../../billing/pricing/price.ts';
import { recompute } from '../../../billing/pricing/recompute.ts';
import { flat, perUnit, tiers, unitTiered, usage, usageTiered } from './prices.ts';

const HALF: Ratio = { part: 15, whole: 30 };

function cost(of: Price, units: string, ratio: Ratio = FULL): string {
  const priced = priceAmount(of, units, ratio, 'usd');
  const amount = moneyText(priced.exact, 'usd');
  expect(recompute(JSON.parse(JSON.stringify(priced.steps)), 'usd')).toBe(amount);
  return amount;
}

function counts({ unitCount, unitsCharged, overUsageUnitCharged }: Priced): (string | null)[] {
  return [unitCount, unitsCharged, overUsageUnitCharged];
}

const stripe = tiers(['5', '7'], ['10', '6.5'], [null, '6']);
const lago = tiers(['100', '2', '10'], ['200', '1'], [null, '0.5', '50']);

test.each([
  ['1', '7.00'],
  ['5', '35.00'],
  ['6', '39.00'],
  ['20', '120.00'],
  ['25', '150.00'],
])('volume tiers 5 @7, 10 @6.5, above @6: %s units are %s', (units, expected) => {
  expect(cost(unitTiered('volume', stripe), units)).toBe(expected);
  expect(cost(usageTiered('volume', stripe), units)).toBe(expected);
});

test.each([
  ['0', '0.00'],
  ['5', '35.00'],
  ['6', '41.50'],
  ['10', '67.50'],
  ['20', '127.50'],
])('graduated tiers 5 @7, 10 @6.5, above @6: %s units are %s', (units, expected) => {
  expect(cost(unitTiered('graduated', stripe), units)).toBe(expected);
  expect(cost(usageTiered('graduated', stripe), units)).toBe(expected);
});

test.each([
  ['0', '10.00'],
  ['1', '12.00'],
  ['100', '210.00'],
  ['100.5', '100.50'],
  ['101', '101.00'],
  ['200', '200.00'],
  ['300', '200.00'],
])('volume tiers 100 @2 +10, 200 @1, above @0.5 +50: %s units are %s', (units, expected) => {
  expect(cost(usageTiered('volume', lago), units)).toBe(expected);
});

test.each([
  ['0', '10.00'],
  ['100', '210.00'],
  ['100.5', '210.50'],
  ['200', '310.00'],
  ['200.000001', '360.00'],
  ['300', '410.00'],
])('graduated tiers 100 @2 +10, 200 @1, above @0.5 +50: %s units are %s', (units, expected) => {
  expect(cost(usageTiered('graduated', lago), units)).toBe(expected);
});

test.each([
  ['199', '5.90', '200'],
  ['350', '11.80', '400'],
  ['50', '2.95', '100'],
  ['0', '0.00', '0'],
  ['100', '2.95', '100'],
  ['100.000000000001', '5.90', '200'],
])('usage in packs of 100 at 0.0295: %s units are %s for %s', (units, expected, charged) => {
  const packs = usage('0.0295', { batchSize: 100 });
  expect(cost(packs, units)).toBe(expected);
  expect(counts(priceAmount(packs, units, FULL, 'usd'))).toEqual([charged, charged, '0']);
});

test.each([
  ['extra', 'extra_usage_overcharge', '999', '999.00', ['999', '999', '0']],
  ['extra', 'extra_usage_overcharge', '1000', '1000.00', ['1000', '1000', '0']],
  ['extra', 'extra_usage_overcharge', '1200', '1400.00', ['1200', '1000', '200']],
  ['all', 'all_usage_overcharge', '1000', '1000.00', ['1000', '1000', '0']],
  ['all', 'all_usage_overcharge', '1200', '2400.00', ['1200', '0', '1200']],
] as const)('1000 units @1, over-usage @2 (%s, %s): %s units are %s', (_, strategy, units, expected, split) => {
  const price = usage('1', { maximumUnits: '1000', overUsagePrice: '2', overUsageChargeStrategy: strategy });
  expect(cost(price, units)).toBe(expected);
  expect(counts(priceAmount(price, units, FULL, 'usd'))).toEqual(split);
});

test('without an over-usage price 1200 units above a maximum of 1000 cost the main price: 1200', () => {
  expect(cost(usage('1', { maximumUnits: '1000' }), '1200')).toBe('1200.00');
  expect(cost(usage('1', { maximumUnits: '1000', overUsageChargeStrategy: 'all_usage_overcharge' }), '1200')).toBe('1200.00');
});

test('with a maximum of 0 every unit is over-usage: 3 @2 are 6', () => {
  const price = usage('1', { maximumUnits: '0', overUsagePrice: '2' });
  expect(cost(price, '3')).toBe('6.00');
  expect(counts(priceAmount(price, '3', FULL, 'usd'))).toEqual(['3', '0', '3']);
});

test('batch, then minimum, then maximum: 199 → 200 → at least 500 → 500; 950 → 1000 → 1000; 1001 → 1100 → 1000 + 100 over', () => {
  const price = usage('1', { batchSize: 100, minimumUnits: '500', maximumUnits: '1000', overUsagePrice: '3', flatFee: '7' });
  expect([cost(price, '199'), cost(price, '950'), cost(price, '1001')]).toEqual(['507.00', '1007.00', '1307.00']);
});

test('a minimum isn’t rounded up to the batch: 250 with batches of 100 stay 250', () => {
  expect(cost(usage('1', { batchSize: 100, minimumUnits: '250' }), '100')).toBe('250.00');
});

test('a flat fee of 9.99 is due at zero usage', () => {
  expect(cost(usage('1', { flatFee: '9.99' }), '0')).toBe('9.99');
  expect(cost(usageTiered('volume', stripe, { flatFee: '9.99' }), '0')).toBe('9.99');
});

test('half a period pro-rates minimum and flat fee of usage: 100 @1 at least + 10 is 50 + 5; 80 used are 80 + 5', () => {
  const price = usage('1', { minimumUnits: '100', flatFee: '10' });
  expect([cost(price, '0', HALF), cost(price, '80', HALF), cost(price, '0', { part: 0, whole: 30 })]).toEqual(['55.00', '85.00', '0.00']);
});

test('half a period doesn’t pro-rate maximum or batch of usage: 1150 → 1200 = 1000 @1 + 200 @2', () => {
  const price = usage('1', { batchSize: 100, maximumUnits: '1000', overUsagePrice: '2' });
  expect(cost(price, '1150', HALF)).toBe('1400.00');
});

test('half a period pro-rates neither tier bounds nor prices nor the tiers’ flat fees: 101 @1, 0 → 10, 300 @0.5 + 50', () => {
  const price = usageTiered('volume', lago);
  expect([cost(price, '101', HALF), cost(price, '0', HALF), cost(price, '300', HALF)]).toEqual(['101.00', '10.00', '200.00']);
});

test('a period without length and without units owes no tier’s fee, with 3 units it does: 6 + 10', () => {
  const none: Ratio = { part: 0, whole: 30 };
  for (const mode of ['volume', 'graduated'] as const) {
    expect([cost(usageTiered(mode, lago), '0', none), cost(usageTiered(mode, lago), '3', none)]).toEqual(['0.00', '16.00']);
  }
});

test('a third of a minimum of 10 is exactly the first tier’s 10/3 units: volume 10/3 @3 is 10.00', () => {
  const price = usageTiered('volume', tiers(['5', '3'], [null, '1']), { minimumUnits: '10' });
  expect(cost(price, '0', { part: 1, whole: 3 })).toBe('10.00');
});

test('a third of a minimum of 30 falls on the bound of 10 and stays in the tier below', () => {
  const price = usageTiered('volume', tiers(['10', '3'], [null, '1']), { minimumUnits: '30' });
  expect(cost(price, '0', { part: 1, whole: 3 })).toBe('30.00');
});

test('a flat 599.95 for 29 of 31 days is 561.24', () => {
  expect(cost(flat('599.95'), '1', { part: 29, whole: 31 })).toBe('561.24');
});

test('per unit: 12 seats in batches of 5 are 15 × 10 + 3 = 153, for half a period 76.50', () => {
  const seats = perUnit('10', { batchSize: 5, flatFee: '3' });
  expect([cost(seats, '12'), cost(seats, '12', HALF)]).toEqual(['153.00', '76.50']);
  expect(counts(priceAmount(seats, '12', HALF, 'usd'))).toEqual(['15', '15', null]);
});

test('unit tiers are pro-rated as a whole: 20 units at half are 63.75, with tier fees of 10 too', () => {
  expect(cost(unitTiered('graduated', stripe), '20', HALF)).toBe('63.75');
  expect(cost(unitTiered('volume', lago, { flatFee: '5' }), '100', HALF)).toBe('107.50');
});

test('unit tiers round up to the batch first: 6 in batches of 5 are 10 → 67.50', () => {
  expect(cost(unitTiered('graduated', stripe, { batchSize: 5 }), '6')).toBe('67.50');
});

test('nothing is rounded before the caller does: a third of 0.01 stays 0.00333…', () => {
  const { exact } = priceAmount(flat('0.01'), '1', { part: 1, whole: 3 }, 'usd');
  expect(exact.toFixed(20)).toBe('0.00333333333333333333');
});

const over = (overUsageChargeStrategy: OverUsageStrategy) =>
  usage('1', { maximumUnits: '1000', overUsagePrice: '2', overUsageChargeStrategy });

test.each([
  ['flat 10', flat('10'), '1', '10.00'],
  ['usage at 0.0006', usage('0.0006'), '5', '0.0006'],
  ['volume of 6 units', unitTiered('volume', stripe), '6', '6.50'],
  ['graduated within one tier', unitTiered('graduated', stripe), '4', '7.00'],
  ['graduated over tiers, the average of 127.50 for 20', unitTiered('graduated', stripe), '20', '6.375'],
  ['tiers at zero units', usageTiered('graduated', stripe), '0', '7.00'],
  ['1000 @1 and 200 over-usage @2, the average of 1400 for 1200', over('extra_usage_overcharge'), '1200', '1.166666666667'],
  ['all 1200 at the over-usage price of 2', over('all_usage_overcharge'), '1200', '2.00'],
] as const)('the unit price shown: %s', (_, of, units, expected) => {
  expect(priceAmount(of, units, FULL, 'usd').unitPrice).toBe(expected);
});

test('every step is kept for the explanation: 199 → batch 200 → minimum 500 → maximum 400 + 100 over → fee', () => {
  const price = usage('1.10', { batchSize: 100, minimumUnits: '500', maximumUnits: '400', overUsagePrice: '2', flatFee: '7.00' });
  expect(priceAmount(price, '199.0', FULL, 'usd').steps).toEqual([
    { step: 'units', units: '199' },
    { step: 'batch', batchSize: 100, units: '200' },
    { step: 'minimum', minimum: '500', ratio: FULL, units: '500' },
    { step: 'maximum', maximum: '400', strategy: 'extra_usage_overcharge', within: '400', above: '100' },
    { step: 'charge', kind: 'price', from: '0', upTo: '400', units: '400', unitPrice: '1.1', amount: '440' },
    { step: 'charge', kind: 'over_usage', from: '400', upTo: null, units: '100', unitPrice: '2', amount: '200' },
    { step: 'fee', kind: 'price_fee', fee: '7', ratio: FULL, amount: '7' },
  ]);
});

test('the steps of tiers: 6 units graduated are 5 @7 and 1 @6.5, pro-rated by a half', () => {
  expect(priceAmount(unitTiered('graduated', stripe, { batchSize: 1 }), '5.5', HALF, 'usd').steps).toEqual([
    { step: 'units', units: '5.5' },
    { step: 'batch', batchSize: 1, units: '6' },
    { step: 'charge', kind: 'tier', from: '0', upTo: '5', units: '5', unitPrice: '7', amount: '35' },
    { step: 'charge', kind: 'tier', from: '5', upTo: '10', units: '1', unitPrice: '6.5', amount: '6.5' },
    { step: 'pro_rate', ratio: HALF, amount: '20.75' },
  ]);
});

test('the steps of volume tiers: all 6 units from 0 on at the one tier’s price, and its fee', () => {
  const volume = usageTiered('volume', tiers(['5', '7', '1'], [null, '6', '2']));
  expect(priceAmount(volume, '6', FULL, 'usd').steps).toEqual([
    { step: 'units', units: '6' },
    { step: 'charge', kind: 'tier', from: '0', upTo: null, units: '6', unitPrice: '6', amount: '36' },
    { step: 'fee', kind: 'tier_fee', fee: '2', ratio: FULL, amount: '2' },
  ]);
});

test('the steps of units bought: 3 seats from 0 on at 10 and a fee of 2', () => {
  expect(priceAmount(perUnit('10', { flatFee: '2' }), '3', FULL, 'usd').steps).toEqual([
    { step: 'units', units: '3' },
    { step: 'charge', kind: 'price', from: '0', upTo: null, units: '3', unitPrice: '10', amount: '30' },
    { step: 'fee', kind: 'price_fee', fee: '2', ratio: FULL, amount: '2' },
  ]);
});

test('the steps of usage all charged as over-usage: 1200 from 0 on at 2', () => {
  expect(priceAmount(over('all_usage_overcharge'), '1200', FULL, 'usd').steps.at(-1)).toEqual({
    step: 'charge',
    kind: 'over_usage',
    from: '0',
    upTo: null,
    units: '1200',
    unitPrice: '2',
    amount: '2400',
  });
});

test('a whole period has no step of pro-rating: 744 of 744 hours', () => {
  expect(priceAmount(flat('10.00'), '1', { part: 744, whole: 744 }, 'usd').steps).toEqual([{ step: 'flat', amount: '10' }]);
});

test('tiers without an open end are refused by name, should one ever be stored', () => {
  expect(() => priceAmount(usageTiered('volume', tiers(['5', '1'])), '6', FULL, 'usd')).toThrow(
    expect.objectContaining({ problems: [{ field: 'tiers', code: 'last_tier_not_open', message: 'give null in the last tier' }] }),
  );
});
