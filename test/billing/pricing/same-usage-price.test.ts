import type { Price } from '../../../billing/pricing/price.ts';
import { isSameUsagePrice } from '../../../billing/pricing/same-usage-price.ts';
import { flat, perUnit, usage, usageTiered } from './prices.ts';

const limited = usage('1', { maximumUnits: '10', overUsagePrice: '2' });
const graduated = usageTiered('graduated', [
  { upTo: '5', unitPrice: '7', flatFee: '1' },
  { upTo: null, unitPrice: '6', flatFee: null },
]);

test.each<[string, Price | null, Price | null, boolean]>([
  ['the same amount', usage('1'), usage('1.00'), true],
  ['another name of the unit', usage('1'), usage('1', { unitName: 'message' }), true],
  ['a minimum and a fee of 0 or none', usage('1'), usage('1', { minimumUnits: '0', flatFee: '0.00' }), true],
  ['an over-usage price above no maximum', usage('1'), usage('1', { overUsagePrice: '3' }), true],
  [
    'the usual price above the maximum, named or not',
    usage('1', { maximumUnits: '10' }),
    usage('1', { maximumUnits: '10.0', overUsagePrice: '1' }),
    true,
  ],
  ['another amount', usage('1'), usage('2'), false],
  ['another batch', usage('1'), usage('1', { batchSize: 10 }), false],
  ['another minimum', usage('1'), usage('1', { minimumUnits: '5' }), false],
  ['another fee', usage('1'), usage('1', { flatFee: '5' }), false],
  ['another maximum', limited, usage('1', { maximumUnits: '11', overUsagePrice: '2' }), false],
  ['another price above the maximum', limited, usage('1', { maximumUnits: '10', overUsagePrice: '3' }), false],
  [
    'all units at the over-usage price',
    limited,
    usage('1', { maximumUnits: '10', overUsagePrice: '2', overUsageChargeStrategy: 'all_usage_overcharge' }),
    false,
  ],
  ['another tax code', usage('1'), { ...usage('1'), taxCode: 'books' }, false],
  ['free cycles', usage('1'), { ...usage('1'), freeCycles: 1 }, false],
  ['the same tiers', graduated, structuredClone(graduated), true],
  ['volume tiers', graduated, usageTiered('volume', tiersOf(graduated)), false],
  ['another bound of a tier', graduated, usageTiered('graduated', tiersOf(graduated, { upTo: '6' })), false],
  ['another price of a tier', graduated, usageTiered('graduated', tiersOf(graduated, { unitPrice: '8' })), false],
  ['another fee of a tier', graduated, usageTiered('graduated', tiersOf(graduated, { flatFee: '2' })), false],
  ['tiers and one price', graduated, usage('0'), false],
  ['no usage prices', flat('1'), flat('1'), false],
  ['units that are bought', perUnit('1'), perUnit('1'), false],
  ['no prices', null, null, false],
])('%s', (_, one, other, isSame) => {
  expect([isSameUsagePrice(one, other), isSameUsagePrice(other, one)]).toEqual([isSame, isSame]);
});

/** The tiers of a price, the first one changed. */
function tiersOf({ strategy }: Price, change: object = {}) {
  if (!('tiers' in strategy)) throw new Error('a price with tiers was expected');
  return strategy.tiers.map((tier, n) => (n === 0 ? { ...tier, ...change } : tier));
}
