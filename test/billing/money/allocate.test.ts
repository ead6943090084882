import fc from 'fast-check';
import { allocate } from '../../../billing/money/allocate.ts';
import { CURRENCIES, minorDigits } from '../../../billing/money/currency.ts';
import { dec, sum, text } from '../../../billing/money/decimal.ts';
import { runs } from '../../support/runs.ts';

function parts(total: string, weights: string[]): string[] {
  return allocate(dec(total), weights.map(dec), 'usd').map(text);
}

test.each([
  ['10.00', ['1', '1', '1'], ['3.34', '3.33', '3.33']],
  ['-10.00', ['1', '1', '1'], ['-3.34', '-3.33', '-3.33']],
  ['0.01', ['1', '2', '3'], ['0', '0', '0.01']],
  ['0.02', ['1', '1', '1'], ['0.01', '0.01', '0']],
  ['10', ['29', '10'], ['7.44', '2.56']],
  ['5', ['0', '3', '0'], ['0', '5', '0']],
  ['0', ['0', '0'], ['0', '0']],
  ['0', [], []],
  ['100', ['0.000000000001', '0.000000000003'], ['25', '75']],
  ['1.00', ['1', '2', '4'], ['0.14', '0.29', '0.57']],
  ['1.00', ['5', '3', '3'], ['0.46', '0.27', '0.27']],
  ['0.10', ['6', '4', '2', '1'], ['0.05', '0.03', '0.01', '0.01']],
  ['0.05', ['1', '1', '1', '1'], ['0.02', '0.01', '0.01', '0.01']],
])('%s over %j is %j', (total, weights, expected) => {
  expect(parts(total, weights)).toEqual(expected);
});

test('a total is rounded to its currency first: 0.019 over one is 0.02', () => {
  expect(parts('0.019', ['1'])).toEqual(['0.02']);
});

test.each([
  [['1', '-1'], 'negative_weight', 'give weights of zero or more'],
  [['0', '0'], 'nothing_to_allocate_to', 'give at least one weight above zero'],
  [[], 'nothing_to_allocate_to', 'give at least one weight above zero'],
])('1.00 over %j is refused: %s', (weights, code, message) => {
  expect(() => parts('1', weights)).toThrow(expect.objectContaining({ problems: [{ field: 'weights', code, message }] }));
});

test('a negative zero is a weight of zero', () => {
  expect(parts('1', ['-0', '1'])).toEqual(['0', '1']);
});

const cents = fc.integer({ min: -100_000_000, max: 100_000_000 });
const weights = fc
  .array(fc.integer({ min: 0, max: 1_000_000_000 }), { minLength: 1, maxLength: 12 })
  .filter((list) => list.some((weight) => weight > 0));

test('the parts sum to the total, keep its sign and lie within a minor unit of their exact share', () => {
  fc.assert(
    fc.property(cents, weights, fc.constantFrom(...CURRENCIES), (total, list, currency) => {
      const whole = list.reduce((a, b) => a + b, 0);
      const unit = dec(10).pow(-minorDigits(currency));
      const money = dec(total).times(unit);
      const found = allocate(money, list.map(dec), currency);
      expect(text(sum(found))).toBe(text(money));
      for (const [index, part] of found.entries()) {
        const exact = money.times(list[index] ?? 0).div(whole);
        expect(part.minus(exact).abs().lt(unit)).toBe(true);
        expect(part.isZero() || part.isNegative() === money.isNegative()).toBe(true);
        if (list[index] === 0) expect(text(part)).toBe('0');
      }
    }),
    runs(),
  );
});

test('a larger weight never gets less, and the negative total gets the negative parts', () => {
  fc.assert(
    fc.property(cents, weights, (total, list) => {
      const money = dec(total).div(100);
      const found = allocate(money, list.map(dec), 'usd');
      const sorted = list.map((weight, index) => ({ weight, part: found[index]?.abs() ?? dec(0) })).sort((a, b) => a.weight - b.weight);
      for (let i = 1; i < sorted.length; i += 1) {
        const [lower, upper] = [sorted[i - 1], sorted[i]];
        if (lower && upper && lower.weight < upper.weight) expect(lower.part.lte(upper.part)).toBe(true);
      }
      expect(allocate(money.negated(), list.map(dec), 'usd').map((part) => text(part.negated()))).toEqual(found.map(text));
    }),
    runs(),
  );
});

test('the spare cents go to the largest remainders, computed in whole numbers', () => {
  fc.assert(
    fc.property(cents, weights, (total, list) => {
      const whole = list.reduce((a, b) => a + BigInt(b), 0n);
      const size = BigInt(Math.abs(total));
      const rows = list.map((weight, index) => ({ index, share: (size * BigInt(weight)) / whole, left: (size * BigInt(weight)) % whole }));
      const spare = Number(size - rows.reduce((a, row) => a + row.share, 0n));
      const order = rows.toSorted((a, b) => (a.left < b.left ? 1 : a.left > b.left ? -1 : a.index - b.index)).map((row) => row.index);
      const expected = rows.map((row) => row.share + (order.indexOf(row.index) < spare ? 1n : 0n));
      const found = allocate(dec(total).div(100), list.map(dec), 'usd').map((part) => part.abs().times(100).toFixed());
      expect(found).toEqual(expected.map(String));
    }),
    runs(),
  );
});
