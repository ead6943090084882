import type { Currency } from '../../../billing/money/currency.ts';
import { exactText, groupedPriceText, totalText } from '../../../pdf/text.ts';
import { formatOf } from '../../../portal/parts/format.ts';

it.each<[string, Currency, string, string]>([
  ['1234567', 'jpy', 'JPY 1,234,567', '1,234,567'],
  ['-1234.5', 'jpy', 'JPY −1,235', '−1,234.5'],
  ['1234.5', 'kwd', 'KWD 1,234.500', '1,234.500'],
  ['0.0005', 'kwd', 'KWD 0.001', '0.0005'],
  ['1234.5', 'chf', 'CHF 1,234.50', '1,234.50'],
])('a printed document shows %s %s as the total %s and as the price %s', (amount, currency, total, price) => {
  expect(totalText(amount, currency)).toBe(total);
  expect(groupedPriceText(amount, currency)).toBe(price);
  expect(exactText(amount, currency)).toBe(price);
});

it.each<[string, string, Currency, string, string]>([
  ['en-GB', '1234567', 'jpy', 'JPY 1,234,567', 'JPY 1,234,567'],
  ['en-GB', '-9.995', 'kwd', '−KWD 9.995', '−KWD 9.995'],
  ['de-DE', '1234.5', 'kwd', '1.234,500 KWD', '1.234,500 KWD'],
  ['de-DE', '0.3', 'jpy', '0 JPY', '0,3 JPY'],
])('the portal in %s shows %s %s as %s, as a price %s', (locale, amount, currency, money, price) => {
  const format = formatOf(locale);
  expect(format.money(amount, currency)).toBe(money);
  expect(format.price(amount, currency)).toBe(price);
});
