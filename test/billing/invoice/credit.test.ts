import { chargeLines } from '../../../billing/invoice/charge.ts';
import { type CreditPlace, creditLine } from '../../../billing/invoice/credit.ts';
import type { ChargedLine } from '../../../billing/invoice/types.ts';
import { BillingError } from '../../../billing/problem.ts';
import { amountsOf, charge, charged, context, counting, discountOf, noTax, only, priceOf, taxAt } from './build.ts';

function lineOf(amount: string, more: Parameters<typeof context>[0] = {}, span = { start: 0, end: 30 }): ChargedLine {
  return charged(only(chargeLines([charge(priceOf(amount), { span })], context(more))));
}

function place(): CreditPlace {
  return { contractId: 'Cont_2', newId: counting(), dueDate: 15 };
}

const whole = { part: 1, whole: 1 };

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    return error instanceof BillingError ? error.problems[0]?.code : undefined;
  }
  return undefined;
}

test.each([
  ['half of 10 is -5.00', '10', { part: 1, whole: 2 }, '-5.00'],
  ['20 of 30 days of 50 are -33.33', '50', { part: 20, whole: 30 }, '-33.33'],
  ['25 of 31 days of 599.95 are -483.83', '599.95', { part: 25, whole: 31 }, '-483.83'],
  ['24 of the 25 days that 8.02 paid for are -7.70', '8.02', { part: 24, whole: 25 }, '-7.70'],
  ['15 of 30 days of 100 are -50.00', '100', { part: 15, whole: 30 }, '-50.00'],
  ['20 of 30 days of 100 are -66.67', '100', { part: 20, whole: 30 }, '-66.67'],
  ['half of 100 is -50.00', '100', { part: 15, whole: 30 }, '-50.00'],
  ['16 of 31 days of 29 are -14.97', '29', { part: 16, whole: 31 }, '-14.97'],
  ['16 of 31 days of 10 are -5.16', '10', { part: 16, whole: 31 }, '-5.16'],
  ['16 of 31 days of 49 are -25.29', '49', { part: 16, whole: 31 }, '-25.29'],
])('%s', (_, amount, ratio, expected) => {
  const credit = creditLine(lineOf(amount), ratio, 15, place());
  expect(credit && amountsOf(credit)).toEqual({
    subtotal: expected,
    discountAmount: '0.00',
    totalExcludingTax: expected,
    taxAmount: '0.00',
    totalIncludingTax: expected,
  });
});

test('a whole line is undone to the cent: 33.33 less 3.33 plus tax 2.10', () => {
  const line = lineOf('33.33', { discount: discountOf('percentage', '10'), tax: taxAt('0.07', 'tax_excluded') });
  expect(amountsOf(line)).toEqual({
    subtotal: '33.33',
    discountAmount: '3.33',
    totalExcludingTax: '30.00',
    taxAmount: '2.10',
    totalIncludingTax: '32.10',
  });
  const credit = creditLine(line, whole, 0, place());
  expect(credit && amountsOf(credit)).toEqual({
    subtotal: '-33.33',
    discountAmount: '-3.33',
    totalExcludingTax: '-30.00',
    taxAmount: '-2.10',
    totalIncludingTax: '-32.10',
  });
});

test('a part is taken from what was really charged: half of 100 less 10 %, 19 % included, gives back 45.00 with 7.18 tax', () => {
  const line = lineOf('100', { discount: discountOf('percentage', '10'), tax: taxAt('0.19', 'tax_included') });
  const credit = creditLine(line, { part: 1, whole: 2 }, 15, place());
  expect(credit && amountsOf(credit)).toEqual({
    subtotal: '-50.00',
    discountAmount: '-5.00',
    totalExcludingTax: '-37.82',
    taxAmount: '-7.18',
    totalIncludingTax: '-45.00',
  });
});

test.each([
  ['half of 505.00 less 0.01', '505', discountOf('flat', '0.01'), { part: 1, whole: 2 }, ['-252.50', '0.00', '-252.50']],
  ['a third of 0.65 less half of it', '0.65', discountOf('percentage', '50'), { part: 1, whole: 3 }, ['-0.22', '-0.11', '-0.11']],
] as const)(
  'subtotal and amount are each rounded from their exact share, the discount is the difference: %s',
  (_, amount, discount, ratio, expected) => {
    const credit = creditLine(lineOf(amount, { discount }), ratio, 15, place());
    expect([credit?.subtotal, credit?.discountAmount, credit?.totalExcludingTax]).toEqual(expected);
  },
);

test('the amount is the share of what was charged also where its net is the whole line’s: 359.40 with 24.30 tax, 43.2 s of 28 days used', () => {
  const line = lineOf('359.40', { tax: taxAt('0.0725', 'tax_included') });
  const credit = creditLine(line, { part: 2_419_156_800, whole: 2_419_200_000 }, 15, place());
  expect(credit && amountsOf(credit)).toEqual({
    subtotal: '-359.39',
    discountAmount: '0.00',
    totalExcludingTax: '-335.10',
    taxAmount: '-24.29',
    totalIncludingTax: '-359.39',
  });
});

test('the line says what it gives back, from when, and where it goes', () => {
  const line = lineOf('100', { tax: taxAt('0.19', 'tax_excluded') });
  const credit = creditLine({ ...line, description: 'May' }, { part: 15, whole: 30 }, 15, place());
  expect(credit).toMatchObject({
    id: 'Item_1',
    contractId: 'Cont_2',
    chargeKey: `credit:${line.id}`,
    kind: 'credit',
    source: 'plan',
    name: 'Unused time: Pro',
    description: 'May',
    currency: 'usd',
    span: { start: 15, end: 30 },
    dueDate: 15,
    schedulingPolicy: 'immediate',
    unitCount: '1',
    unitPrice: '-100.00',
    discountDescription: null,
    taxCode: null,
    taxRate: '0.19',
    taxPolicy: 'tax_excluded',
    reverseCharge: false,
    creditOf: line.id,
    periodIdx: 1,
  });
  expect(credit?.derivation).toEqual({
    type: 'credit',
    currency: 'usd',
    line: { id: line.id, name: 'Pro', ...amountsOf(line) },
    credited: { excludingTax: '0', tax: '0' },
    at: 15,
    ratio: { part: 15, whole: 30, shown: '0.5' },
    tax: { policy: 'tax_excluded', taxCode: null, rate: '0.19', reverseCharge: false, note: null },
    rounding: { digits: 2, mode: 'half away from zero', exactSubtotal: '-50', exactNet: '-50' },
  });
});

test('a line without a span keeps none, a free unit price no minus', () => {
  const credit = creditLine({ ...lineOf('10'), span: null, unitPrice: '0.00' }, whole, 15, place());
  expect(credit?.span).toBeNull();
  expect(credit?.unitPrice).toBe('0.00');
});

test('reverse charge goes along with its note', () => {
  const tax = { ...noTax, sellerCountry: 'DE', country: 'FR', vatId: 'FR40303265045' };
  const credit = creditLine(lineOf('10', { tax }), whole, 15, place());
  expect(credit?.reverseCharge).toBe(true);
  expect(credit?.derivation.tax).toMatchObject({ rate: '0', note: 'Reverse charge: VAT is to be accounted for by the recipient.' });
});

test.each([
  ['a line of 0.00', '0', whole],
  ['no time left', '10', { part: 0, whole: 30 }],
  ['a part that rounds to 0.00', '0.01', { part: 1, whole: 3 }],
])('%s gives no credit line', (_, amount, ratio) => {
  expect(creditLine(lineOf(amount), ratio, 15, place())).toBeNull();
});

test('a credit line itself is never given back', () => {
  const credit = creditLine(lineOf('10'), whole, 15, place());
  expect(credit && creditLine(charged(credit), whole, 15, place())).toBeNull();
});

test.each([
  ['-1/30', { part: -1, whole: 30 }],
  ['31/30', { part: 31, whole: 30 }],
  ['1/0', { part: 1, whole: 0 }],
  ['0/0', { part: 0, whole: 0 }],
  ['-1/-2', { part: -1, whole: -2 }],
])('a ratio of %s is refused', (_, ratio) => {
  expect(() => creditLine(lineOf('10'), ratio, 15, place())).toThrow(
    new BillingError({ field: 'ratio', code: 'ratio_out_of_range', message: 'give a ratio from 0 to 1' }),
  );
  expect(codeOf(() => creditLine(lineOf('10'), ratio, 15, place()))).toBe('ratio_out_of_range');
});

test('after 60.00 + 6.00 of 100.00 + 10.00 were given back, the rest is 40.00 + 4.00 and then nothing', () => {
  const line = lineOf('100', { tax: taxAt('0.1', 'tax_excluded') });
  const second = creditLine({ ...line, creditedExcludingTax: '60.00', creditedTax: '6.00' }, { part: 1, whole: 2 }, 15, place());
  expect(second?.totalIncludingTax).toBe('-44.00');
  expect(second?.subtotal).toBe('-40.00');
  expect(second?.derivation.credited).toEqual({ excludingTax: '60.00', tax: '6.00' });
  expect(creditLine({ ...line, creditedExcludingTax: '100.00', creditedTax: '10.00' }, whole, 15, place())).toBeNull();
});

test('a part within the rest takes no more tax than is left: 0.05 + 0.00 where all of the tax went back before', () => {
  const line = lineOf('0.20', { tax: taxAt('0.1', 'tax_excluded') });
  const credit = creditLine({ ...line, creditedExcludingTax: '0.10', creditedTax: '0.02' }, { part: 1, whole: 4 }, 15, place());
  expect([credit?.totalExcludingTax, credit?.taxAmount, credit?.totalIncludingTax]).toEqual(['-0.05', '0.00', '-0.05']);
});

test('a thousandth of 0.20 is nothing, though a cent of its tax was never given back', () => {
  const line = lineOf('0.20', { tax: taxAt('0.1', 'tax_included') });
  const before = { creditedExcludingTax: '0.18', creditedTax: '0.01' };
  expect(creditLine({ ...line, ...before }, { part: 1, whole: 1000 }, 15, place())).toBeNull();
  expect(creditLine({ ...line, ...before }, whole, 15, place())?.totalIncludingTax).toBe('-0.01');
});
