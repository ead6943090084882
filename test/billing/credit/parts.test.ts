import fc from 'fast-check';
import { FULL } from '../../../billing/calendar/ratio.ts';
import { backToGrants } from '../../../billing/credit/give-back.ts';
import { usageParts } from '../../../billing/credit/parts.ts';
import { readDerivation } from '../../../billing/explain/explain-line.ts';
import { chargeLines } from '../../../billing/invoice/charge.ts';
import { inParts } from '../../../billing/invoice/in-parts.ts';
import { withPart } from '../../../billing/invoice/parts.ts';
import type { Line, TaxContext } from '../../../billing/invoice/types.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import type { Price } from '../../../billing/pricing/price.ts';
import { runs } from '../../support/runs.ts';
import { charge, context, noTax, taxAt } from '../invoice/build.ts';
import { usage, usageTiered } from '../pricing/prices.ts';

const TIERS = [
  { upTo: '5', unitPrice: '7', flatFee: null },
  { upTo: '10', unitPrice: '6.5', flatFee: null },
  { upTo: null, unitPrice: '6', flatFee: null },
];
const span = { start: 0, end: 30 };

function partsOf(price: Price, units: string, counted: { at: number; units: string }[], tax: TaxContext = noTax): string[] {
  const [line] = chargeLines([charge(price, { kind: 'usage', units, span, ratio: FULL, discountable: false })], context({ tax }));
  if (line === undefined) throw new Error('a charge makes a line');
  const derivation = readDerivation(line.derivation);
  if (derivation.type !== 'charge') throw new Error('a charge is derived as one');
  const parts = usageParts({ totalIncludingTax: line.totalIncludingTax, currency: 'usd', span, derivation }, counted);
  expect(sum(parts.map(({ amount }) => dec(amount))).eq(line.totalIncludingTax)).toBe(true);
  return parts.map(({ amount }) => amount);
}

test('graduated, 4 units and 8 more: 28.00 and 51.50', () => {
  expect(partsOf(usageTiered('graduated', TIERS), '12', [{ at: 15, units: '4' }])).toEqual(['28.00', '51.50']);
});

test('the price’s fee belongs to the first part: 12.00 and 3.00 of 5 units at 1.00 with a fee of 10.00', () => {
  expect(partsOf(usage('1', { flatFee: '10' }), '5', [{ at: 15, units: '2' }])).toEqual(['12.00', '3.00']);
});

test('of volume tiers no part has more than what is owed in the end: 100 at 10, then 101 at 5', () => {
  const volume = usageTiered('volume', [
    { upTo: '100', unitPrice: '10', flatFee: null },
    { upTo: null, unitPrice: '5', flatFee: null },
  ]);
  expect(partsOf(volume, '101', [{ at: 15, units: '100' }])).toEqual(['505.00', '0.00']);
});

test('tax comes on top of each part: 19 % of 4 and 12 units at 1.00', () => {
  expect(partsOf(usage('1'), '12', [{ at: 15, units: '4' }], taxAt('0.19', 'tax_excluded'))).toEqual(['4.76', '9.52']);
});

test.each([
  ['none', null, ['20.00', '30.00']],
  ['21 %', '0.21', ['24.20', '36.30']],
  ['still 19 %', '0.19', ['23.80', '35.70']],
] as const)(
  'what an invoice threshold has charged at 19 % is no part of what is left: 20 and 30 at 1.00, tax by then %s',
  (_, rate, expected) => {
    const place = { contractId: 'Cont_1', periodIdx: 1 };
    const line = (units: string, tax: TaxContext): Line => {
      const [made] = chargeLines([charge(usage('1'), { kind: 'usage', units, span, ratio: FULL, discountable: false })], context({ tax }));
      if (made === undefined) throw new Error('a charge makes a line');
      return { ...made, ...place };
    };
    const first = inParts(line('100', taxAt('0.19', 'tax_excluded')), { billed: [], soFar: true });
    const by = rate === null ? { ...noTax, policy: 'tax_excluded' as const } : taxAt(rate, 'tax_excluded');
    const last = inParts(line('150', by), { billed: withPart([], first), soFar: false });
    const derivation = readDerivation(last.derivation);
    if (derivation.type !== 'charge') throw new Error('a charge is derived as one');
    const parts = usageParts({ totalIncludingTax: last.totalIncludingTax, currency: 'usd', span, derivation }, [{ at: 15, units: '120' }]);
    expect(parts.map(({ amount }) => amount)).toEqual(expected);
  },
);

test('the parts of a line sum to the line, whatever its price, and none is negative', () => {
  const units = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 5 });
  const prices = [
    usage('0.0295', { batchSize: 7 }),
    usageTiered('graduated', TIERS),
    usageTiered('volume', TIERS),
    usage('0.333', { minimumUnits: '30', flatFee: '3' }),
  ];
  fc.assert(
    fc.property(
      units,
      fc.constantFrom(...prices),
      fc.constantFrom(noTax, taxAt('0.19', 'tax_excluded'), taxAt('0.07', 'tax_included')),
      (more, price, tax) => {
        const counts = more.map((_one, place) => more.slice(0, place + 1).reduce((a, b) => a + b, 0));
        const counted = counts.slice(0, -1).map((count, place) => ({ at: place + 1, units: String(count) }));
        const parts = partsOf(price, String(counts.at(-1)), counted, tax);
        expect(parts.every((amount) => dec(amount).gte(0))).toBe(true);
      },
    ),
    runs(),
  );
});

test('what goes back and what is left sum to what is given back; no grant gets more than it paid', () => {
  const uses = fc.array(
    fc.integer({ min: 0, max: 900 }).map((value) => ({ grantId: `Grant_${value % 3}`, amount: (value / 100).toFixed(2) })),
  );
  fc.assert(
    fc.property(uses, fc.integer({ min: 0, max: 5_000 }), (kept, cents) => {
      const { back, left } = backToGrants((cents / 100).toFixed(2), kept, 'usd');
      expect(
        sum([dec(left), ...back.map(({ amount }) => dec(amount))])
          .times(100)
          .toNumber(),
      ).toBe(cents);
      const of = (all: readonly { grantId: string; amount: string }[], id: string) =>
        sum(all.filter((one) => one.grantId === id).map(({ amount }) => dec(amount)));
      for (const { grantId } of kept) expect(of(back, grantId).lte(of(kept, grantId))).toBe(true);
      expect(dec(left).isZero() || sum(back.map(({ amount }) => dec(amount))).eq(sum(kept.map(({ amount }) => dec(amount))))).toBe(true);
    }),
    runs(),
  );
});
