import { type Currency, minorDigits } from './currency.ts';
import { type Decimal, dec, text, ZERO } from './decimal.ts';

// Given as a number in each call, so that no setting of the library changes it: a half goes away from zero on both
// sides.
const HALF_AWAY_FROM_ZERO = 4;
const TOWARDS_LESS = 3;
// An endless quotient is wrong near its 80th digit, so that 10 ÷ 3 × 0.0015 would just miss its tie. Digits after the
// 50th are only such errors: amounts differ by the 47th at the latest (36 digits of factors, the milliseconds of a year
// as divisor).
const EXACT_PLACES = 50;

/**
 * The one rounding of money: to the currency's minor unit, a half goes away from zero. Called once per invoice line.
 *
 * @example roundMoney(dec('66.665'), 'usd') // '66.67'
 * @example roundMoney(dec('-33.335'), 'usd') // '-33.34'
 */
export function roundMoney(amount: Decimal, currency: Currency): Decimal {
  const digits = minorDigits(currency);
  // most amounts are rounded already: two roundings would find the same
  if (amount.decimalPlaces() <= digits) return amount.isZero() ? ZERO : amount;
  const exact = amount.toDecimalPlaces(EXACT_PLACES, HALF_AWAY_FROM_ZERO);
  const rounded = exact.toDecimalPlaces(digits, HALF_AWAY_FROM_ZERO);
  return rounded.isZero() ? ZERO : rounded;
}

/**
 * An amount of money as shown on invoices and balances: exactly the currency's minor digits.
 *
 * @example moneyText(dec('50'), 'usd') // '50.00'
 */
export function moneyText(amount: Decimal | string, currency: Currency): string {
  return withDigits(roundMoney(dec(amount), currency), minorDigits(currency));
}

/** The plain text of a value that has no more than so many digits: the library would round it again. */
function withDigits(value: Decimal, digits: number): string {
  const plain = text(value);
  if (digits === 0) return plain;
  const point = plain.indexOf('.');
  return point === -1 ? `${plain}.${'0'.repeat(digits)}` : plain.padEnd(point + 1 + digits, '0');
}

/**
 * The smallest sum of money that is more than an amount.
 *
 * @example justAbove('10.005', 'usd') // '10.01'
 * @example justAbove('10', 'usd') // '10.01'
 */
export function justAbove(amount: string, currency: Currency): Decimal {
  const digits = minorDigits(currency);
  return dec(amount).toDecimalPlaces(digits, TOWARDS_LESS).plus(dec(10).pow(-digits));
}

/**
 * A price as shown: at least the currency's minor digits and as many as it needs.
 *
 * @example priceText('0.0006', 'usd') // '0.0006'
 * @example priceText('10', 'usd') // '10.00'
 */
export function priceText(price: Decimal | string, currency: Currency): string {
  const value = dec(price);
  return withDigits(value, minorDigits(currency));
}
