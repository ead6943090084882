import fc from 'fast-check';
import { share } from '../../../billing/calendar/ratio.ts';
import { CURRENCIES, type Currency, isCurrency, minorDigits } from '../../../billing/money/currency.ts';
import { dec, text } from '../../../billing/money/decimal.ts';
import { fraction, fractionMoney, times } from '../../../billing/money/fraction.ts';
import { moneyText, priceText, roundMoney } from '../../../billing/money/round.ts';
import { runs } from '../../support/runs.ts';

test.each([
  ['0.005', '0.01'],
  ['-0.005', '-0.01'],
  ['0.004999999999', '0.00'],
  ['-0.004', '0.00'],
  ['66.665', '66.67'],
  ['-33.335', '-33.34'],
  ['1.005', '1.01'],
  ['2.675', '2.68'],
  ['99.995', '100.00'],
  ['50', '50.00'],
  ['12345678901234567890123456.785', '12345678901234567890123456.79'],
])('%s usd rounds to %s', (amount, expected) => {
  expect(moneyText(dec(amount), 'usd')).toBe(expected);
  expect(moneyText(amount, 'usd')).toBe(expected);
});

test('nothing rounds to a negative zero', () => {
  expect(Object.is(roundMoney(dec('-0.001'), 'eur').toNumber(), 0)).toBe(true);
});

test('10 ÷ 3 × 0.0015 is exactly half a cent and goes up, though 10 ÷ 3 has no end', () => {
  expect(moneyText(dec(10).div(3).times('0.0015'), 'usd')).toBe('0.01');
  expect(moneyText(dec(-10).div(3).times('0.0015'), 'usd')).toBe('-0.01');
});

test('a 47th digit below the half still goes down', () => {
  expect(moneyText(dec(`0.00${'4'}${'9'.repeat(44)}`), 'usd')).toBe('0.00');
});

test.each([
  ['0.0006', '0.0006'],
  ['10', '10.00'],
  ['10.5', '10.50'],
  ['10.500', '10.50'],
  ['0', '0.00'],
  ['-0', '0.00'],
  ['0.000000000001', '0.000000000001'],
  ['-1.234', '-1.234'],
])('the price %s is shown as %s', (price, expected) => {
  expect(priceText(price, 'eur')).toBe(expected);
  expect(priceText(dec(price), 'eur')).toBe(expected);
});

test('the list has the currencies of ISO 4217: 16 without digits, 7 of three, all others of two', () => {
  const of = (digits: number) => CURRENCIES.filter((currency) => minorDigits(currency) === digits);
  expect(of(0).join(' ')).toBe('bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf');
  expect(of(3).join(' ')).toBe('bhd iqd jod kwd lyd omr tnd');
  expect([of(2).length, CURRENCIES.length]).toEqual([132, 155]);
  expect(CURRENCIES).toEqual([...new Set(CURRENCIES)].sort());
});

test('Intl knows each currency by its code', () => {
  const known = new Set(Intl.supportedValuesOf('currency'));
  // the second bolívar has a code of its own in ISO 4217 alone
  expect(CURRENCIES.filter((currency) => currency !== 'ved' && !known.has(currency.toUpperCase()))).toEqual([]);
});

test.each(['xau', 'xdr', 'xxx', 'xts', 'clf', 'che', 'uyw', 'bgn', 'ang', 'USD', 'toString', ''])('%j is no currency', (code) => {
  expect(isCurrency(code)).toBe(false);
  expect(() => minorDigits(code as Currency)).toThrow(
    expect.objectContaining({
      problems: [{ field: 'currency', code: 'unknown_currency', message: 'give an ISO 4217 code such as usd, jpy or kwd' }],
    }),
  );
});

test.each<[string, Currency, string, string]>([
  ['1234.5', 'jpy', '1235', '1234.5'],
  ['-1234.5', 'jpy', '-1235', '-1234.5'],
  ['0.4', 'jpy', '0', '0.4'],
  ['1234.5', 'kwd', '1234.500', '1234.500'],
  ['0.0005', 'kwd', '0.001', '0.0005'],
  ['-0.0004', 'kwd', '0.000', '-0.0004'],
  ['1000', 'krw', '1000', '1000'],
])('%s %s is %s as money and %s as a price', (amount, currency, money, price) => {
  expect(moneyText(amount, currency)).toBe(money);
  expect(priceText(amount, currency)).toBe(price);
});

const money = fc.tuple(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.integer({ min: 0, max: 12 })).map(([digits, places]) => {
  const [sign, all] = [digits < 0n ? '-' : '', (digits < 0n ? -digits : digits).toString().padStart(places + 1, '0')];
  return places === 0 ? sign + all : `${sign}${all.slice(0, -places)}.${all.slice(-places)}`;
});
const ratio = fc.tuple(fc.integer({ min: 0, max: 31_622_400_000 }), fc.integer({ min: 1, max: 31_622_400_000 })).map(([a, b]) => ({
  part: Math.min(a, b),
  whole: Math.max(a, b, 1),
}));

test('a ratio of an amount rounds as whole-number fractions do', () => {
  fc.assert(
    fc.property(money, ratio, (amount, part) => {
      const again = fractionMoney(times(fraction(amount), { num: BigInt(part.part), den: BigInt(part.whole) }), 'usd');
      expect(moneyText(share(dec(amount), part), 'usd')).toBe(again);
    }),
    runs(),
  );
});

test('a ratio, then a percentage, then a second ratio round as whole-number fractions do', () => {
  fc.assert(
    fc.property(money, ratio, ratio, fc.integer({ min: 0, max: 10_000 }), (amount, first, second, hundredths) => {
      const chained = share(share(dec(amount), first).times(hundredths).div(10_000), second);
      const exact = [first, second].reduce(
        (value, { part, whole }) => times(value, { num: BigInt(part), den: BigInt(whole) }),
        times(fraction(amount), { num: BigInt(hundredths), den: 10_000n }),
      );
      expect(moneyText(chained, 'usd')).toBe(fractionMoney(exact, 'usd'));
    }),
    runs(),
  );
});

test('exact ties reached through a quotient without end go away from zero', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9_999 }),
      fc.constantFrom(3, 7, 31, 29, 744, 2_678_400_000),
      fc.boolean(),
      (cents, whole, minus) => {
        const tie = dec(cents)
          .div(100)
          .plus('0.005')
          .times(minus ? -1 : 1);
        const shaken = tie.div(whole).times(whole);
        expect(moneyText(shaken, 'usd')).toBe(
          `${minus ? '-' : ''}${dec(cents + 1)
            .div(100)
            .toFixed(2)}`,
        );
      },
    ),
    runs(),
  );
});

test('rounding is symmetrical, within half a minor unit, stable and has exactly the digits of the currency', () => {
  fc.assert(
    fc.property(money, fc.constantFrom(...CURRENCIES), (amount, currency) => {
      const rounded = roundMoney(dec(amount), currency);
      expect(text(roundMoney(dec(amount).negated(), currency))).toBe(text(rounded.negated()));
      expect(
        rounded
          .minus(dec(amount))
          .abs()
          .lte(dec('0.5').times(dec(10).pow(-minorDigits(currency)))),
      ).toBe(true);
      expect(text(roundMoney(rounded, currency))).toBe(text(rounded));
      expect(moneyText(dec(amount), currency).split('.')[1]?.length ?? 0).toBe(minorDigits(currency));
    }),
    runs(),
  );
});

test('the shown price is the price', () => {
  fc.assert(
    fc.property(money, (price) => {
      expect(text(dec(priceText(price, 'gbp')))).toBe(text(dec(price)));
    }),
    runs(),
  );
});
