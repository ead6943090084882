import { FULL, type Ratio } from '../../../billing/calendar/ratio.ts';
import { moneyText } from '../../../billing/money/round.ts';
import { priceAmount } from '../../../billing/pricing/amount.ts';
import type { Began } from '../../../billing/pricing/began.ts';
import type { Price } from '../../../billing/pricing/price.ts';
import { recompute } from '../../../billing/pricing/recompute.ts';
import { tiers, usage, usageTiered } from './prices.ts';

// What the part of a billing period after a change costs: P(u1 + u2) − P(u1), with minimum and flat fee by its share of
// time.

const HALF: Ratio = { part: 15, whole: 30 };
const after = (units: string, tierFees: string | null = '0'): Began => ({ units, tierFees });

function cost(of: Price, units: string, began: Began | null, ratio: Ratio = HALF): string {
  const priced = priceAmount(of, units, ratio, 'usd', began);
  const amount = moneyText(priced.exact, 'usd');
  expect(recompute(JSON.parse(JSON.stringify(priced.steps)), 'usd')).toBe(amount);
  return amount;
}

const free = usage('0', { maximumUnits: '1000', overUsagePrice: '0.02' });
const falling = usageTiered('graduated', tiers(['1500', '0.01'], [null, '0.005']));
const stripe = tiers(['5', '7'], ['10', '6.5'], [null, '6']);

test.each([
  ['1,000 free, then 0.02: 1,000 before, 1,000 after', free, '1000', '1000', '20.00'],
  ['1,000 free, then 0.02: 400 before, 500 after', free, '400', '500', '0.00'],
  ['1,000 free, then 0.02: 900 before, 200 after', free, '900', '200', '2.00'],
  ['graduated 0.01 to 1,500, then 0.005: 1,000 before, 1,000 after', falling, '1000', '1000', '7.50'],
  ['graduated 0.01 to 1,500, then 0.005: 1,500 before, 100 after', falling, '1500', '100', '0.50'],
  ['packs of 1,000 at 0.01: 100 before, 100 after', usage('0.01', { batchSize: 1000 }), '100', '100', '0.00'],
  ['packs of 1,000 at 0.01: 900 before, 200 after', usage('0.01', { batchSize: 1000 }), '900', '200', '10.00'],
  ['graduated 5 @7, 10 @6.5, above @6: 4 before, 8 after', usageTiered('graduated', stripe), '4', '8', '51.50'],
  ['volume 5 @7, 10 @6.5, above @6: 4 before, 2 after', usageTiered('volume', stripe), '4', '2', '13.00'],
  ['volume 5 @7, 10 @6.5, above @6: 4 before, nothing after', usageTiered('volume', stripe), '4', '0', '0.00'],
])('%s', (_, price, before, units, expected) => {
  expect(cost(price, units, after(before))).toBe(expected);
});

test('all_usage_overcharge chooses the rate by 1,200 in all and applies it to the 300 after the change', () => {
  const price = usage('1', { maximumUnits: '1000', overUsagePrice: '2', overUsageChargeStrategy: 'all_usage_overcharge' });
  expect([cost(price, '300', after('900')), cost(price, '100', after('900')), cost(price, '0', after('1200'))]).toEqual([
    '600.00',
    '100.00',
    '0.00',
  ]);
});

test('a part costs at least its share of the minimum at its price: half of 100 @2, and half the fee of 10', () => {
  const price = usage('2', { minimumUnits: '100', flatFee: '10' });
  expect([cost(price, '5', after('1000')), cost(price, '80', after('1000')), cost(price, '5', after('0'), FULL)]).toEqual([
    '105.00',
    '165.00',
    '210.00',
  ]);
});

test('the share of the minimum counts from zero, wherever the count stands: 50 @0.10, not @0.01', () => {
  const price = usageTiered('graduated', tiers(['1000', '0.10'], [null, '0.01']), { minimumUnits: '100' });
  expect([cost(price, '0', after('5000')), cost(price, '600', after('5000'))]).toEqual(['5.00', '6.00']);
});

test('a graduated tier’s fee falls due whole, where the count first enters the tier', () => {
  const price = usageTiered('graduated', tiers(['100', '2', '10'], ['200', '1', '20'], [null, '0.5', '50']));
  expect(cost(price, '0', null)).toBe('10.00');
  expect(cost(price, '50', after('100', '10'))).toBe('70.00');
  expect(cost(price, '150', after('100', '10'))).toBe('195.00');
  expect(cost(price, '50', after('100.5', '30'))).toBe('50.00');
  expect(cost(price, '0', after('0', '0'))).toBe('0.00');
  // units were counted before, but under no usage price
  expect(cost(price, '50', after('100', null))).toBe('80.00');
});

test('of a volume tier’s fee a later part owes what exceeds those charged before', () => {
  const price = usageTiered('volume', tiers(['100', '2', '10'], [null, '1', '50']));
  expect([
    cost(price, '10', after('20', '10')),
    cost(price, '90', after('20', '10')),
    cost(price, '90', after('20', '80')),
    cost(price, '90', after('20', null)),
  ]).toEqual(['20.00', '130.00', '90.00', '140.00']);
});

test('the part’s own units are shown, over and within the maximum: 900 before, 300 after are 100 and 200', () => {
  const price = usage('1', { maximumUnits: '1000', overUsagePrice: '2' });
  const { unitCount, unitsCharged, overUsageUnitCharged, unitPrice } = priceAmount(price, '300', HALF, 'usd', after('900'));
  expect({ unitCount, unitsCharged, overUsageUnitCharged, unitPrice }).toEqual({
    unitCount: '300',
    unitsCharged: '100',
    overUsageUnitCharged: '200',
    unitPrice: '1.666666666667',
  });
  expect(priceAmount(price, '0', HALF, 'usd', after('900'))).toMatchObject({ unitCount: '0', unitsCharged: '0', unitPrice: '1.00' });
});

test('the steps carry the count the part began at: 900 + 150 → batches of 100', () => {
  const price = usage('1', { batchSize: 100, maximumUnits: '1000', overUsagePrice: '2', flatFee: '8' });
  expect(priceAmount(price, '150', HALF, 'usd', after('900')).steps).toEqual([
    { step: 'units', units: '150' },
    { step: 'began', before: '900', units: '1050' },
    { step: 'batch', batchSize: 100, units: '1100' },
    { step: 'maximum', maximum: '1000', strategy: 'extra_usage_overcharge', within: '100', above: '100' },
    { step: 'charge', kind: 'price', from: '900', upTo: '1000', units: '100', unitPrice: '1', amount: '100' },
    { step: 'charge', kind: 'over_usage', from: '1000', upTo: null, units: '100', unitPrice: '2', amount: '200' },
    { step: 'fee', kind: 'price_fee', fee: '8', ratio: HALF, amount: '4' },
  ]);
});

test('the steps of a part that pays its share of the minimum, and of a volume tier’s fee charged in part before', () => {
  const least = usage('1', { minimumUnits: '100' });
  expect(priceAmount(least, '3', HALF, 'usd', after('900')).steps).toEqual([
    { step: 'units', units: '3' },
    { step: 'began', before: '900', units: '903' },
    { step: 'part_minimum', minimum: '100', ratio: HALF, units: '50' },
    { step: 'charge', kind: 'price', from: '0', upTo: null, units: '50', unitPrice: '1', amount: '50' },
  ]);
  const volume = usageTiered('volume', tiers(['100', '2', '10'], [null, '1', '50']));
  expect(priceAmount(volume, '90', HALF, 'usd', after('20', '10')).steps).toEqual([
    { step: 'units', units: '90' },
    { step: 'began', before: '20', units: '110' },
    { step: 'charge', kind: 'tier', from: '20', upTo: null, units: '90', unitPrice: '1', amount: '90' },
    { step: 'fee', kind: 'tier_fee', fee: '50', before: '10', ratio: FULL, amount: '40' },
  ]);
});
