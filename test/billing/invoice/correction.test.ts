import type { UsageCorrection } from '../../../billing/contract/types.ts';
import { explainLine } from '../../../billing/explain/explain-line.ts';
import { type CorrectionContext, correctionLine } from '../../../billing/invoice/correction.ts';
import { taxRule } from '../../../billing/invoice/tax.ts';
import type { TaxContext } from '../../../billing/invoice/types.ts';
import { amountsOf, counting, noTax, priceOf, taxAt, usage } from './build.ts';

const packs = priceOf('0.0295', usage({ batchSize: 100 }), 'calls');

function correction(units: string, charged: string): UsageCorrection {
  return { contractId: 'Cont_1', periodIdx: 3, slug: 'calls', units, charged, closed: null, occasion: 'Evt_1' };
}

function place(more: Partial<CorrectionContext> = {}): CorrectionContext {
  return {
    lineId: 'Item_9',
    began: null,
    price: packs,
    name: 'Calls',
    ratio: { part: 30, whole: 30 },
    span: { start: 0, end: 30 },
    free: false,
    currency: 'usd',
    tax: noTax,
    dueDate: 40,
    newId: counting(),
    ...more,
  };
}

test.each([
  ['packs: 350 units charged 11.80, really 199, is -5.90', '199', '11.80', '-5.90'],
  ['packs: 50 units charged 2.95, really 350, is +8.85', '350', '2.95', '8.85'],
  ['350 units charged 11.80, really 301, is 0.00: the same packs', '301', '11.80', '0.00'],
  ['nothing charged, really 50, is +2.95', '50', '0.00', '2.95'],
])('%s', (_, units, charged, expected) => {
  const line = correctionLine(correction(units, charged), place());
  expect(line.subtotal).toBe(expected);
  expect(line.totalIncludingTax).toBe(expected);
});

test('minimum and flat fee of a part period are pro-rated again: 80 units, half of 100 + 10 fee, was 55.00', () => {
  const price = priceOf('1', usage({ minimumUnits: '100', flatFee: '10' }));
  expect(correctionLine(correction('80', '55.00'), place({ price, ratio: { part: 15, whole: 30 } })).subtotal).toBe('30.00');
});

test('each side is rounded on its own: 0.005 is 0.01, so nothing is due after 0.01', () => {
  expect(correctionLine(correction('1', '0.01'), place({ price: priceOf('0.005', usage()) })).subtotal).toBe('0.00');
});

test('a free period stays free: 350 units at first, 199 in the end, 0.00 and 0.00', () => {
  const line = correctionLine(correction('199', '0.00'), place({ free: true }));
  expect([line.subtotal, line.totalIncludingTax]).toEqual(['0.00', '0.00']);
  expect(line.derivation).toMatchObject({ free: true, rounding: { exactSubtotal: '0', exactNet: '0' } });
});

test('tax comes with it: -5.90 and 10 % on top is -6.49', () => {
  const line = correctionLine(correction('199', '11.80'), place({ tax: taxAt('0.1', 'tax_excluded') }));
  expect(amountsOf(line)).toEqual({
    subtotal: '-5.90',
    discountAmount: '0.00',
    totalExcludingTax: '-5.90',
    taxAmount: '-0.59',
    totalIncludingTax: '-6.49',
  });
});

test('the line is linked to the closed period and keeps how it came about', () => {
  expect(correctionLine(correction('199', '11.80'), place())).toMatchObject({
    id: 'Item_1',
    contractId: 'Cont_1',
    chargeKey: 'correction:3:feature:calls:Evt_1',
    kind: 'correction',
    source: 'feature:calls',
    name: 'Correction: Calls',
    description: 'Usage period 3',
    currency: 'usd',
    span: { start: 0, end: 30 },
    dueDate: 40,
    schedulingPolicy: 'immediate',
    unitCount: '200',
    unitPrice: '0.0295',
    discountDescription: null,
    taxCode: 'calls',
    taxRate: null,
    creditOf: null,
    periodIdx: 3,
    derivation: {
      type: 'correction',
      currency: 'usd',
      period: { start: 0, end: 30, idx: 3 },
      units: '199',
      price: { version: 'Price_1', price: packs },
      ratio: { part: 30, whole: 30, shown: '1' },
      free: false,
      charged: '11.80',
      lineId: 'Item_9',
      occasion: 'Evt_1',
      tax: { policy: 'tax_excluded', taxCode: 'calls', rate: null, reverseCharge: false, note: null },
      rounding: { digits: 2, mode: 'half away from zero', exactSubtotal: '5.9', exactNet: '5.9' },
      steps: [
        { step: 'units', units: '199' },
        { step: 'batch', batchSize: 100, units: '200' },
        { step: 'charge', units: '200', unitPrice: '0.0295', amount: '5.9' },
      ],
    },
  });
});

test('no more goes back than credit notes have left: 11.80 with 1.18 tax, a note of all but 2.00 and 0.21, corrected to nothing', () => {
  const left = { totalExcludingTax: '2.00', taxAmount: '0.21' };
  const line = correctionLine({ ...correction('0', '11.80'), left }, place({ tax: taxAt('0.1', 'tax_excluded') }));
  expect(amountsOf(line)).toMatchObject({ subtotal: '-2.00', taxAmount: '-0.21', totalIncludingTax: '-2.21' });
});

test('what credit notes have left does not bound what is owed on top, nor a correction within it', () => {
  const left = { totalExcludingTax: '8.00', taxAmount: '0.80' };
  const tax = taxAt('0.1', 'tax_excluded');
  expect(correctionLine({ ...correction('199', '11.80'), left }, place({ tax })).totalIncludingTax).toBe('-6.49');
  expect(correctionLine({ ...correction('350', '2.95'), left }, place({ tax })).totalIncludingTax).toBe('9.74');
});

test('prices that include tax: what is left is given back with the tax in it', () => {
  const left = { totalExcludingTax: '1.00', taxAmount: '0.10' };
  const line = correctionLine({ ...correction('0', '11.80'), left }, place({ tax: taxAt('0.1', 'tax_included') }));
  expect(amountsOf(line)).toMatchObject({ subtotal: '-1.10', totalExcludingTax: '-1.00', taxAmount: '-0.10', totalIncludingTax: '-1.10' });
});

test.each(['tax_excluded', 'tax_included'] as const)(
  'what credit notes have left is part of how a correction comes about, %s',
  (policy) => {
    for (const [units, totalExcludingTax, taxAmount] of [
      ['0', '2.00', '0.21'],
      ['0', '-1.00', '0.00'],
      ['199', '8.00', '0.30'],
      ['350', '8.00', '0.80'],
    ] as const) {
      const left = { totalExcludingTax, taxAmount };
      const line = correctionLine({ ...correction(units, '11.80'), left }, place({ tax: taxAt('0.1', policy) }));
      const { amounts, recomputed, sentences } = explainLine(line);
      expect(recomputed).toEqual(amounts);
      const sentence = `Of what was charged ${totalExcludingTax} and ${taxAmount} tax are left: no more is given back.`;
      // of all of it nothing comes back where nothing less was used
      expect(sentences.includes(sentence)).toBe(units !== '350');
    }
  },
);

const abroad: TaxContext = { ...taxAt('0.19', 'tax_excluded'), sellerCountry: 'DE', country: 'AT', vatId: 'ATU12345678' };

test.each([
  ['19 % on top, by now 21 %: −11.80 and 2.24', taxAt('0.19', 'tax_excluded'), taxAt('0.21', 'tax_excluded'), '0', ['-11.80', '-2.24']],
  ['19 % on top, by now no tax: −11.80 and 2.24', taxAt('0.19', 'tax_excluded'), noTax, '0', ['-11.80', '-2.24']],
  ['19 % on top, by now reverse charge: −11.80 and 2.24', taxAt('0.19', 'tax_excluded'), abroad, '0', ['-11.80', '-2.24']],
  ['no tax, by now 19 %: −11.80 and none', noTax, taxAt('0.19', 'tax_excluded'), '0', ['-11.80', '0.00']],
  ['reverse charge, by now 19 %: −11.80 and none', abroad, taxAt('0.19', 'tax_excluded'), '0', ['-11.80', '0.00']],
  ['19 % included, by now on top: −9.92 and 1.88', taxAt('0.19', 'tax_included'), taxAt('0.19', 'tax_excluded'), '0', ['-9.92', '-1.88']],
  [
    '19 % on top, by now 21 %, and more used: 2.95 and 0.56',
    taxAt('0.19', 'tax_excluded'),
    taxAt('0.21', 'tax_excluded'),
    '450',
    ['2.95', '0.56'],
  ],
] as const)('is taxed as its usage was: %s', (_, then, now, units, [net, tax]) => {
  const taxed = taxRule('calls', then);
  const line = correctionLine(correction(units, '11.80'), place({ taxed, tax: now }));
  expect(line).toMatchObject({ totalExcludingTax: net, taxAmount: tax, taxRate: taxed.rate, taxPolicy: taxed.policy });
  expect(line.reverseCharge).toBe(taxed.reverseCharge);
  const { amounts, recomputed } = explainLine(line);
  expect(recomputed).toEqual(amounts);
});

test('more than was charged by its own tax rule comes back as a share of all: of 11.80 on top 7.08 are with tax in them', () => {
  const taxed = taxRule('calls', taxAt('0.19', 'tax_excluded'));
  const left = { totalExcludingTax: '10.67', taxAmount: '2.03' };
  const given = (units: string): string[] => {
    const line = correctionLine({ ...correction(units, '11.80'), left, chargedAlike: '4.72' }, place({ taxed }));
    expect(explainLine(line).recomputed).toEqual(explainLine(line).amounts);
    return [line.subtotal, line.totalExcludingTax, line.taxAmount];
  };
  expect(given('0')).toEqual(['-11.80', '-10.67', '-2.03']);
  expect(given('199')).toEqual(['-5.90', '-5.34', '-1.02']);
  expect(given('300')).toEqual(['-2.95', '-2.95', '-0.56']);
});

test('of 0.09 with 0.02 tax three corrections of 0.03 give 0.02 tax back, not 0.01 each', () => {
  const tax = taxAt('0.19', 'tax_excluded');
  const given = ([units, charged, taxAmount]: [string, string, string]): string[] => {
    const left = { totalExcludingTax: charged, taxAmount };
    const line = correctionLine({ ...correction(units, charged), left }, place({ price: priceOf('0.03', usage()), tax }));
    expect(explainLine(line).recomputed).toEqual(explainLine(line).amounts);
    return [line.totalExcludingTax, line.taxAmount];
  };
  const three: [string, string, string][] = [
    ['2', '0.09', '0.02'],
    ['1', '0.06', '0.01'],
    ['0', '0.03', '0.00'],
  ];
  expect(three.map(given)).toEqual([
    ['-0.03', '-0.01'],
    ['-0.03', '-0.01'],
    ['-0.03', '0.00'],
  ]);
});
