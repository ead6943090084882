import { chargeLines } from '../../../billing/invoice/charge.ts';
import type { TierMode } from '../../../billing/pricing/price.ts';
import { amountsOf, charge, context, discountOf, only, perUnit, priceOf, taxAt, usage } from './build.ts';

const half = { part: 15, whole: 30 };

test.each([
  ['20 at half of the period is 10.00', '20', half, '10.00'],
  ['100 with 20 of 30 days left is 66.67', '100', { part: 20, whole: 30 }, '66.67'],
  ['599.95 for 29 of 31 days is 561.24', '599.95', { part: 29, whole: 31 }, '561.24'],
  ['9.95 for 25 of 31 days is 8.02', '9.95', { part: 25, whole: 31 }, '8.02'],
  ['29.95 for 24 of 31 days is 23.19', '29.95', { part: 24, whole: 31 }, '23.19'],
  ['300 for 15 of 30 days is 150.00', '300', half, '150.00'],
  ['300 for 20 of 30 days is 200.00', '300', { part: 20, whole: 30 }, '200.00'],
  ['99 for 16 of 31 days is 51.10', '99', { part: 16, whole: 31 }, '51.10'],
  ['25 for 16 of 31 days is 12.90', '25', { part: 16, whole: 31 }, '12.90'],
  ['99 for 16 of 31 days is 51.10, not 48 as with a daily rate rounded first', '99', { part: 16, whole: 31 }, '51.10'],
])('%s', (_, amount, ratio, expected) => {
  const line = only(chargeLines([charge(priceOf(amount), { ratio })], context()));
  expect(amountsOf(line)).toEqual({
    subtotal: expected,
    discountAmount: '0.00',
    totalExcludingTax: expected,
    taxAmount: '0.00',
    totalIncludingTax: expected,
  });
});

test('a line says where it comes from: names, units, price, span, keys', () => {
  const line = only(chargeLines([charge(priceOf('4.5', perUnit({ batchSize: 5 })), { units: '12' })], context()));
  expect(line).toMatchObject({
    id: 'Item_1',
    contractId: 'Cont_1',
    chargeKey: 'cycle:1:plan',
    kind: 'recurring',
    source: 'plan',
    name: 'Pro',
    description: null,
    currency: 'usd',
    span: { start: 0, end: 30 },
    dueDate: 0,
    schedulingPolicy: 'start_of_period',
    unitCount: '15',
    unitPrice: '4.50',
    subtotal: '67.50',
    creditOf: null,
    periodIdx: 1,
  });
  expect(line.discountDescription).toBeNull();
  expect(line.taxRate).toBeNull();
});

test.each([
  ['199 units in packs of 100 at 0.0295 are 5.90', '199', '5.90'],
  ['350 units are 11.80', '350', '11.80'],
  ['50 units are 2.95', '50', '2.95'],
])('%s', (_, units, expected) => {
  const line = only(chargeLines([charge(priceOf('0.0295', usage({ batchSize: 100 })), { units })], context()));
  expect(line.subtotal).toBe(expected);
});

test('half a period of usage pro-rates minimum and fee alone: 30 used, minimum 100 × 1/2, fee 10 × 1/2, 1 each: 55.00', () => {
  const price = priceOf('1', usage({ minimumUnits: '100', flatFee: '10' }));
  expect(only(chargeLines([charge(price, { units: '30', ratio: half })], context())).subtotal).toBe('55.00');
  expect(only(chargeLines([charge(price, { units: '80', ratio: half })], context())).subtotal).toBe('85.00');
});

test('a free cycle writes its line with 0.00 everywhere and takes no part in a discount', () => {
  const lines = chargeLines(
    [charge(priceOf('100'), { free: true }), charge(priceOf('50'))],
    context({ discount: discountOf('flat', '10') }),
  );
  expect(lines.map((line) => [line.subtotal, line.discountAmount, line.totalIncludingTax])).toEqual([
    ['0.00', '0.00', '0.00'],
    ['50.00', '10.00', '40.00'],
  ]);
  expect(lines[0]?.discountDescription).toBeNull();
  expect(lines[0]?.derivation.free).toBe(true);
});

test('100, 10 off, 10 % tax on top: 90.00 + 9.00 = 99.00', () => {
  const line = only(
    chargeLines([charge(priceOf('100'))], context({ discount: discountOf('flat', '10'), tax: taxAt('0.10', 'tax_excluded') })),
  );
  expect(amountsOf(line)).toEqual({
    subtotal: '100.00',
    discountAmount: '10.00',
    totalExcludingTax: '90.00',
    taxAmount: '9.00',
    totalIncludingTax: '99.00',
  });
  expect(line.discountDescription).toBe('Spring: 10.00 USD');
  expect(line.taxRate).toBe('0.10');
});

test('19 % included in 119.00 less 10 %: 107.10 with tax 17.10, 90.00 without', () => {
  const line = only(
    chargeLines([charge(priceOf('119'))], context({ discount: discountOf('percentage', '10'), tax: taxAt('0.19', 'tax_included') })),
  );
  expect(amountsOf(line)).toEqual({
    subtotal: '119.00',
    discountAmount: '11.90',
    totalExcludingTax: '90.00',
    taxAmount: '17.10',
    totalIncludingTax: '107.10',
  });
  expect(line.discountDescription).toBe('Spring: 10 %');
});

test('10.00 off is spread over 100 and 50 as 6.67 and 3.33, then halved with them', () => {
  const discount = discountOf('flat', '10');
  const whole = chargeLines([charge(priceOf('100')), charge(priceOf('50'))], context({ discount }));
  expect(whole.map((line) => line.discountAmount)).toEqual(['6.67', '3.33']);
  const halves = chargeLines([charge(priceOf('100'), { ratio: half }), charge(priceOf('50'), { ratio: half })], context({ discount }));
  expect(halves.map((line) => [line.subtotal, line.discountAmount, line.totalExcludingTax])).toEqual([
    ['50.00', '3.33', '46.67'],
    ['25.00', '1.66', '23.34'],
  ]);
});

test('10.00 off three equal lines are 3.34, 3.33 and 3.33: the first gets the spare cent', () => {
  const lines = chargeLines(
    [charge(priceOf('5')), charge(priceOf('5')), charge(priceOf('5'))],
    context({ discount: discountOf('flat', '10') }),
  );
  expect(lines.map((line) => line.discountAmount)).toEqual(['3.34', '3.33', '3.33']);
});

test('a flat discount never goes below zero: 100 off 20 and 10 leaves 0.00 and 0.00', () => {
  const lines = chargeLines([charge(priceOf('20')), charge(priceOf('10'))], context({ discount: discountOf('flat', '100') }));
  expect(lines.map((line) => [line.discountAmount, line.totalExcludingTax])).toEqual([
    ['20.00', '0.00'],
    ['10.00', '0.00'],
  ]);
});

test('prices below a cent stay at or above zero under a flat discount: three lines of 0.005 less 1.00', () => {
  const lines = chargeLines(
    [charge(priceOf('0.005')), charge(priceOf('0.005')), charge(priceOf('0.004'))],
    context({ discount: discountOf('flat', '1') }),
  );
  expect(lines.map((line) => line.totalExcludingTax)).toEqual(['0.00', '0.00', '0.00']);
});

test('usage and lines that are not discountable get no discount, also when the discount covers everything', () => {
  const lines = chargeLines(
    [charge(priceOf('100')), charge(priceOf('2', usage()), { units: '5' }), charge(priceOf('30'), { discountable: false })],
    context({ discount: discountOf('percentage', '100') }),
  );
  expect(lines.map((line) => line.totalExcludingTax)).toEqual(['0.00', '10.00', '30.00']);
  expect(lines.map((line) => line.discountDescription)).toEqual(['Spring: 100 %', null, null]);
});

test('a percentage above 100 takes no more than everything', () => {
  const line = only(chargeLines([charge(priceOf('100'))], context({ discount: discountOf('percentage', '150') })));
  expect(line.totalExcludingTax).toBe('0.00');
});

test('a flat discount in another currency is refused by name', () => {
  expect(() => chargeLines([charge(priceOf('100'))], context({ discount: discountOf('flat', '10', 'eur') }))).toThrow(
    expect.objectContaining({
      problems: [{ field: 'discount', code: 'discount_currency', message: 'give a discount in usd, or a percentage' }],
    }),
  );
});

test('one rounding: 33.3333… less 10 % is rounded from 30 at once, and discount is the difference', () => {
  const line = only(
    chargeLines([charge(priceOf('100'), { ratio: { part: 1, whole: 3 } })], context({ discount: discountOf('percentage', '10') })),
  );
  expect([line.subtotal, line.discountAmount, line.totalExcludingTax]).toEqual(['33.33', '3.33', '30.00']);
  expect(line.derivation.rounding).toEqual({ digits: 2, mode: 'half away from zero', exactSubtotal: '33.333333333333', exactNet: '30' });
});

test('the derivation holds period, steps, price and its version, ratio as a fraction, discount, tax and events', () => {
  const price = priceOf('0.5', usage({ batchSize: 10 }), 'calls');
  const line = only(
    chargeLines(
      [charge(price, { kind: 'usage', units: '12', events: 3, ratio: half, periodIdx: 4 })],
      context({ tax: taxAt('0.2', 'tax_excluded') }),
    ),
  );
  expect(line.derivation).toEqual({
    type: 'charge',
    kind: 'usage',
    currency: 'usd',
    period: { start: 0, end: 30, idx: 4 },
    units: '12',
    events: 3,
    began: null,
    steps: [
      { step: 'units', units: '12' },
      { step: 'batch', batchSize: 10, units: '20' },
      { step: 'charge', kind: 'price', from: '0', upTo: null, units: '20', unitPrice: '0.5', amount: '10' },
    ],
    price: { version: 'Price_1', price },
    ratio: { part: 15, whole: 30, shown: '0.5' },
    ratioUse: 'minimum_and_fees',
    free: false,
    discount: null,
    tax: { policy: 'tax_excluded', taxCode: 'calls', rate: '0.2', reverseCharge: false, note: null },
    rounding: { digits: 2, mode: 'half away from zero', exactSubtotal: '10', exactNet: '10' },
  });
});

test('a line without a span has no period in its derivation, a bought line no events', () => {
  const line = only(chargeLines([charge(priceOf('10'), { kind: 'one_off', span: null, periodIdx: null })], context()));
  expect(line.derivation).toMatchObject({ period: null, events: null, ratioUse: 'line' });
});

const tiers = [
  { upTo: '5', unitPrice: '7', flatFee: '10' },
  { upTo: '10', unitPrice: '6.5', flatFee: null },
  { upTo: null, unitPrice: '6', flatFee: null },
];
const tiered = (tierMode: TierMode) => priceOf('0', { ...usage(), kind: 'usage_tiered' as const, tierMode, tiers });

test.each([
  ['several tiers and a fee', tiered('graduated'), '20', '137.50', '5 × 7.00 + flat fee 10.00 + 5 × 6.50 + 10 × 6.00'],
  ['one tier with a fee, nothing used', tiered('graduated'), '0', '10.00', '0 × 7.00 + flat fee 10.00'],
  [
    'units above the maximum',
    priceOf('1', usage({ maximumUnits: '1000', overUsagePrice: '2' })),
    '1200',
    '1400.00',
    '1000 × 1.00 + 200 × 2.00',
  ],
  ['one price for all units', tiered('volume'), '20', '120.00', null],
  ['a flat price', priceOf('10'), '1', '10.00', null],
])('a line whose amount is not units times one price says what it is made up of: %s', (_, price, units, subtotal, description) => {
  expect(only(chargeLines([charge(price, { units })], context()))).toMatchObject({ subtotal, description });
});

test('a pro-rated fee stands there as charged: 10 for 15 of 30 days', () => {
  const line = only(chargeLines([charge(priceOf('1', usage({ flatFee: '10' })), { units: '3', ratio: half })], context()));
  expect(line).toMatchObject({ subtotal: '8.00', description: '3 × 1.00 + flat fee 5.00' });
});
