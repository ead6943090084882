import { at } from '../../../billing/calendar/instant.ts';
import { previewPrices } from '../../../billing/contract/estimate/price-preview.ts';
import type { Offer } from '../../../billing/contract/terms/offer.ts';
import type { Line } from '../../../billing/invoice/types.ts';
import type { Price, Tier } from '../../../billing/pricing/price.ts';
import { BillingError } from '../../../billing/problem.ts';
import { planOffer } from '../../support-billing/catalogue.ts';
import { countingIds } from '../../support-billing/ledger.ts';
import { signs } from '../../support-billing/story.ts';
import { flat, perUnit, unitTiered, usage, usageTiered } from '../pricing/prices.ts';

type Units = Record<string, string>;

const DATE = '2025-01-31';
const tier = (upTo: string | null, unitPrice: string, flatFee: string | null = null): Tier => ({ upTo, unitPrice, flatFee });
const TIERS = [tier('10', '1.005', '3'), tier('100', '0.333'), tier(null, '0.1', '7')];

const features = (prices: Record<string, Price>): Offer => planOffer('pro', { price: '29.99', features: prices });
const extra = { maximumUnits: '100', overUsagePrice: '0.055' };

/** Each kind of price with units, and what it comes to. */
const KINDS: [name: string, offer: Offer, bought: Units, used: Units, total: string][] = [
  ['a flat price', features({ sso: flat('9.99') }), {}, {}, '39.98'],
  [
    'bought units in packages, with a fee',
    features({ seats: perUnit('3.33', { batchSize: 5, flatFee: '2' }) }),
    { seats: '7' },
    {},
    '65.29',
  ],
  ['usage with a minimum', features({ calls: usage('0.333', { minimumUnits: '50' }) }), {}, { calls: '20' }, '46.64'],
  ['usage without any', features({ calls: usage('0.333', { flatFee: '4' }) }), {}, {}, '33.99'],
  ['usage above the maximum', features({ calls: usage('0.033', extra) }), {}, { calls: '250' }, '41.54'],
  [
    'usage all above the maximum',
    features({ calls: usage('0.033', { ...extra, overUsageChargeStrategy: 'all_usage_overcharge' }) }),
    {},
    { calls: '250' },
    '43.74',
  ],
  ['graduated bought units', features({ seats: unitTiered('graduated', TIERS) }), { seats: '150' }, {}, '85.01'],
  ['bought units by volume', features({ seats: unitTiered('volume', TIERS) }), { seats: '150' }, {}, '51.99'],
  ['graduated usage', features({ calls: usageTiered('graduated', TIERS) }), {}, { calls: '12.5' }, '43.87'],
  ['usage by volume', features({ calls: usageTiered('volume', TIERS) }), {}, { calls: '12.5' }, '34.15'],
  [
    'one charge, and charges of another rhythm',
    planOffer('pro', { price: '10', cycle: 'year', features: { setup: ['first_cycle', flat('99')], care: ['quarter', flat('5')] } }),
    {},
    {},
    '114.00',
  ],
  ['one payment', planOffer('pro', { price: '10', cycle: 'once', features: { calls: usage('2') } }), {}, { calls: '3' }, '16.00'],
  [
    'groups, in a currency without digits',
    planOffer('pro', { strategy: 'group', price: null, currency: 'jpy', groups: { office: perUnit('120.5') } }),
    { office: '3' },
    {},
    '362',
  ],
];

const shown = (line: Line): unknown => [
  line.source,
  line.kind,
  line.unitCount,
  line.unitPrice,
  line.subtotal,
  line.totalExcludingTax,
  line.span,
];

describe('the preview of prices', () => {
  it.each(KINDS)('comes to what the invoices of a contract come to: %s', (_, offer, bought, used, total) => {
    const preview = previewPrices(offer, { bought, used }, at(DATE), countingIds());
    const overrides = Object.fromEntries(Object.entries(bought).map(([name, units]) => [name, { units, field: name }]));
    const expiration = offer.pricing.cycle === 'once' ? { expiration: '2025-06-01' } : {};
    const story = signs(DATE, offer, { overrides, ...expiration });
    for (const [slug, units] of Object.entries(used)) story.uses('2025-02-10', slug, units);
    const first = [...story.ledger.lines.values()];
    story.advance(offer.pricing.cycle === 'once' ? '2025-06-01' : '2025-02-28');
    const usageLines = [...story.ledger.lines.values()].filter(({ kind, invoiceId }) => kind === 'usage' && invoiceId !== null);
    const amounts = (lines: readonly Line[]): unknown[] => lines.map((line) => (shown(line) as unknown[]).slice(0, 6));
    expect(preview.atStart.map(shown)).toEqual(
      first.map((line) => (offer.pricing.cycle === 'once' ? shown({ ...line, span: preview.atStart[0]?.span ?? null }) : shown(line))),
    );
    expect(amounts(preview.atEnd)).toEqual(amounts(usageLines));
    expect(preview.total).toBe(total);
  });

  it('leaves out trial and free cycles, of the pricing and of a price', () => {
    const offer = planOffer('pro', { price: '29', trialDays: 14, freeCycles: 3, features: { sso: { ...flat('9'), freeCycles: 2 } } });
    expect(previewPrices(offer, { bought: {}, used: {} }, at(DATE), countingIds()).total).toBe('38.00');
  });

  it('names units that a contract can’t have', () => {
    const offer = features({ seats: perUnit('3', { maximumUnits: '5' }), calls: usage('1') });
    const problemsOf = (bought: Units, used: Units): unknown => {
      try {
        return previewPrices(offer, { bought, used }, at(DATE), countingIds()).total;
      } catch (error) {
        if (!(error instanceof BillingError)) throw error;
        return error.problems.map(({ field, code }) => [field, code]);
      }
    };
    expect(problemsOf({ seats: '6' }, {})).toEqual([['bought.seats', 'above_maximum']]);
    expect(problemsOf({ nothing: '1' }, {})).toEqual([['bought.nothing', 'unknown_feature']]);
    expect(problemsOf({}, { calls: '-1' })).toEqual([['used.calls', 'negative']]);
    expect(problemsOf({}, { calls: 'many' })).toEqual([['used.calls', 'invalid_decimal']]);
  });
});
