import { fraction, fractionMoney, fractionText, isBelow, minus, plus, times, ZERO_FRACTION } from '../../../billing/money/fraction.ts';

test.each([
  ['0', '0.00'],
  ['-0.25', '-0.25'],
  ['12', '12.00'],
  ['0.005', '0.01'],
  ['-0.005', '-0.01'],
  ['-0.004', '0.00'],
  ['-0', '0.00'],
  ['0.07', '0.07'],
])('the fraction of %s is %s in money', (input, expected) => {
  expect(fractionMoney(fraction(input), 'usd')).toBe(expected);
});

test('5/2 without decimals is 3, -5/2 is -3, 1/3 to 5 places 0.33333', () => {
  expect([fractionText({ num: 5n, den: 2n }, 0), fractionText({ num: -5n, den: 2n }, 0), fractionText({ num: 1n, den: 3n }, 5)]).toEqual([
    '3',
    '-3',
    '0.33333',
  ]);
});

test('1/3 + 1/6 = 1/2, 1/3 − 1/2 = −1/6, 1/3 × 3/4 = 1/4', () => {
  const third = { num: 1n, den: 3n };
  expect(fractionText(plus(third, { num: 1n, den: 6n }), 3)).toBe('0.500');
  expect(fractionText(minus(third, { num: 1n, den: 2n }), 3)).toBe('-0.167');
  expect(fractionText(times(third, { num: 3n, den: 4n }), 3)).toBe('0.250');
  expect(fractionText(plus(third, ZERO_FRACTION), 3)).toBe('0.333');
});

test('0.3 is below 1/3, 1/3 isn’t below 0.3 or itself', () => {
  const third = { num: 1n, den: 3n };
  expect([isBelow(fraction('0.3'), third), isBelow(third, fraction('0.3')), isBelow(third, third)]).toEqual([true, false, false]);
});
