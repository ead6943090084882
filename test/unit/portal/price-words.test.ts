import type { Price, StrategyDetails } from '../../../billing/pricing/price.ts';
import { readerOf } from '../../../portal/messages/language.ts';
import { priceWords } from '../../../portal/pages/change/price-words.ts';
import { unitChoices } from '../../../services/portal/unit-choices.ts';
import { perUnit, priceOf, usage } from '../../billing/invoice/build.ts';
import { planOffer, seats } from '../../support-billing/catalogue.ts';
import { signs } from '../../support-billing/story.ts';

const en = readerOf('en');
const words = (price: Price | null, trigger: Parameters<typeof priceWords>[2] = 'every_cycle') => priceWords(en, price, trigger, 'eur');

describe('the words of a price', () => {
  const tiers: StrategyDetails = {
    kind: 'unit_tiered',
    unitName: 'seat',
    unitCount: '1',
    minimumUnits: '0',
    maximumUnits: null,
    batchSize: null,
    flatFee: null,
    tierMode: 'volume',
    tiers: [
      { upTo: '10', unitPrice: '2', flatFee: '5' },
      { upTo: null, unitPrice: '1.5', flatFee: null },
    ],
  };

  test.each([
    [null, 'included'],
    [priceOf('0'), 'included'],
    [priceOf('9'), 'EUR 9.00'],
    [priceOf('5', perUnit({ flatFee: '3' })), 'EUR 5.00 for each seat, EUR 3.00 more'],
    [priceOf('0.0006', usage()), 'EUR 0.0006 for each call, as used'],
    [priceOf('0', usage({ maximumUnits: '1000', overUsagePrice: '0.02' })), 'free of charge, above 1,000: EUR 0.02, as used'],
    [
      priceOf('1', usage({ minimumUnits: '5', maximumUnits: '10', overUsagePrice: '2', overUsageChargeStrategy: 'all_usage_overcharge' })),
      'EUR 1.00 for each call, at least 5, all at EUR 2.00 once there are more than 10, as used',
    ],
    [
      priceOf('0', tiers),
      'up to 10: EUR 2.00 each (EUR 5.00 more), further ones: EUR 1.50 each, all units cost the price of the tier that their number falls into',
    ],
  ])('%#: %s', (price, expected) => {
    expect(words(price)).toBe(expected);
  });

  test.each([
    ['first_cycle', 'EUR 9.00, once'],
    ['on_demand', 'EUR 9.00, when ordered'],
    ['quarter', 'EUR 9.00, every quarter'],
  ] as const)('say when it is charged: %s', (trigger, expected) => {
    expect(words(priceOf('9'), trigger)).toBe(expected);
  });
});

describe('units to choose', () => {
  const terms = (price: Price) => signs('2025-07-01', planOffer('pro', { price: '10', features: { seats: price } })).contract().terms;

  it('are counted in whole batches, limits too: 12 of at least 3 and at most 23 in batches of 5 are 15 of 5 to 20', () => {
    const price = seats('5', '12', { minimum: '3', maximum: '23' });
    const inBatches = { ...price, strategy: { ...price.strategy, batchSize: 5 } as typeof price.strategy };
    expect(unitChoices(terms(inBatches), 'signed')).toEqual([
      { key: 'seats', name: 'seats', unitName: 'seat', units: '15', minimum: '5', maximum: '20', batchSize: 5 },
    ]);
  });

  it('are those of features, groups and the plan itself, which has its slug as key; on demand there is nothing to choose', () => {
    const story = signs(
      '2025-07-01',
      planOffer('pro', {
        price: seats('5', '2'),
        features: { extra: ['on_demand', seats('1', '1')], set_up: ['first_cycle', seats('1', '1')] },
      }),
    );
    const { terms: signed } = story.contract();
    expect(unitChoices(signed, 'signed').map(({ key, units }) => [key, units])).toEqual([['pro', '2']]);
    expect(unitChoices(signed, 'offered').map(({ key }) => key)).toEqual(['pro', 'set_up']);
    const taken = { ...signed, features: signed.features.map((feature) => ({ ...feature, slug: 'pro' })) };
    expect(unitChoices(taken, 'signed').map(({ key }) => key)).toEqual(['plan']);
  });
});
