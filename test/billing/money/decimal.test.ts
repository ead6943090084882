import { dec, larger, ONE, parseDecimal, plain, smaller, sum, text, ZERO } from '../../../billing/money/decimal.ts';
import { BillingError } from '../../../billing/problem.ts';

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof BillingError) return error.problems.map((problem) => `${problem.field} ${problem.code}`).join();
    throw error;
  }
  return 'nothing thrown';
}

test.each([
  ['0', '0'],
  ['-0', '0'],
  ['-0.000', '0'],
  ['10.50', '10.5'],
  ['007', '7'],
  ['0.000000000001', '0.000000000001'],
  ['-1.10', '-1.1'],
  ['12345678901234567890123456.123456789012', '12345678901234567890123456.123456789012'],
])('%s is read and printed as %s', (input, expected) => {
  expect(text(parseDecimal(input))).toBe(expected);
  expect(plain(input)).toBe(expected);
});

test.each(['', ' ', ' 1', '1 ', '+1', '.5', '5.', '1,5', '1e3', '1E-7', 'NaN', 'Infinity', '-', '--1', '0x10', '1_000', '１', '1\n'])(
  '%j is no decimal',
  (input) => {
    expect(codeOf(() => parseDecimal(input, 'price.amount'))).toBe('price.amount invalid_decimal');
  },
);

test.each([
  ['123456789012345678901234567', '27 digits before the point'],
  ['0.1234567890123', '13 digits after it'],
  ['-123456789012345678901234567', '27 digits and a sign'],
])('%s is refused: %s', (input) => {
  expect(codeOf(() => parseDecimal(input, 'units'))).toBe('units too_many_digits');
});

test('26 and 12 digits on a negative number are taken', () => {
  expect(text(parseDecimal('-99999999999999999999999999.999999999999'))).toBe('-99999999999999999999999999.999999999999');
});

test.each([
  [1e-7, '0.0000001'],
  [1e21, '1000000000000000000000'],
  [0.1, '0.1'],
  [-0, '0'],
])('the number %d is the text %s', (input, expected) => {
  expect(text(dec(input))).toBe(expected);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 'abc', ''])('%p is no value', (input) => {
  expect(codeOf(() => dec(input))).toBe('value invalid_decimal');
});

test.each([
  ['"abc"', () => dec('abc'), 'value', '"abc" is not a decimal; give text such as "10.50"'],
  ['1e3', () => parseDecimal('1e3'), 'amount', 'give plain decimal text such as "10.50", without exponent, sign + or blanks'],
  [
    '13 digits after the point',
    () => parseDecimal('0.1234567890123'),
    'amount',
    'give at most 26 digits before and 12 after the decimal point',
  ],
])('%s is refused with what to give instead', (_, read, field, message) => {
  expect(read).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ field, message })] }));
});

test('a decimal is handed on as it is, without a copy', () => {
  const value = dec('10.50');
  expect(dec(value)).toBe(value);
});

test('0.1 + 0.2 is 0.3, and nothing is 0', () => {
  expect(text(sum([dec('0.1'), dec('0.2')]))).toBe('0.3');
  expect(text(sum([]))).toBe('0');
  expect(text(sum([ZERO, ONE, ONE]))).toBe('2');
});

test('of 1 and 2 the larger is 2, the smaller 1, in either order', () => {
  const [one, two] = [dec(1), dec(2)];
  expect([larger(one, two), larger(two, one), smaller(one, two), smaller(two, one)].map(text)).toEqual(['2', '2', '1', '1']);
});

test('a product of 38 by 38 digits keeps all its digits', () => {
  const product = dec('99999999999999999999999999.999999999999').times(dec('99999999999999999999999999.999999999999'));
  expect(text(product)).toBe('9999999999999999999999999999999999999800000000000000.000000000000000000000001');
});

test('a problem names its field and what to give instead', () => {
  const error = new BillingError([
    { field: 'amount', code: 'negative', message: 'give zero or more' },
    { field: 'units', code: 'negative', message: 'give zero or more' },
  ]);
  expect(error.message).toBe('amount: give zero or more; units: give zero or more');
  expect(error.name).toBe('BillingError');
});

test('texts are read as they are, also when thousands of others were read before', () => {
  const texts = Array.from({ length: 2_500 }, (_, n) => `${n}.${String(n).padStart(4, '0')}1`);
  for (const round of [1, 2]) expect([round, ...texts.map((one) => text(dec(one)))]).toEqual([round, ...texts]);
});

test.each([
  ['10.50', '10.5', '10.5'],
  ['-0.0', '0', '0'],
  ['1e3', '1000', '1000'],
])('a text read twice, %s, and its number are one value', (first, second, expected) => {
  expect([dec(first), dec(first), dec(second), dec(Number(second))].map(text)).toEqual([expected, expected, expected, expected]);
});

test('what is no decimal is refused the second time too', () => {
  expect([codeOf(() => dec('12x')), codeOf(() => dec('12x'))]).toEqual(['value invalid_decimal', 'value invalid_decimal']);
});
