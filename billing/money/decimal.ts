import { Decimal as DecimalJs } from 'decimal.js';
import { fail } from '../problem.ts';

// An own copy of the library: settings made elsewhere can't change how money is computed, and no value is printed with
// an exponent.
const Exact = DecimalJs.clone({ precision: 80, rounding: DecimalJs.ROUND_HALF_UP, toExpNeg: -9e15, toExpPos: 9e15, defaults: true });

/** An exact decimal number. It is used inside computations only; values that are passed on or stored have its text. */
export type Decimal = DecimalJs;

/** Most digits before the decimal point of an amount, price or quantity. */
export const MAX_INTEGER_DIGITS = 26;
/** Most digits after the decimal point of an amount, price or quantity. */
export const MAX_FRACTION_DIGITS = 12;

// The lines of an invoice repeat their texts: units, prices, "0.00". A decimal never changes, so one serves everybody.
// Callers choose the texts, so neither many of them nor long ones may fill the memory.
const READ = new Map<unknown, Decimal>();
const MOST_KEPT = 1000;
const KEPT_LENGTH = 16;

const DECIMAL_TEXT = /^-?(\d+)(?:\.(\d+))?$/;

/**
 * The exact decimal of a text, a whole number or another decimal. For values that were checked before; input is read
 * with `parseDecimal`.
 *
 * @throws BillingError `invalid_decimal` when the value is no finite number
 * @example dec('0.1').plus(dec('0.2')) // '0.3'
 */
export function dec(value: string | number | Decimal): Decimal {
  if (value instanceof Exact) return value;
  const known = READ.get(value);
  if (known !== undefined) return known;
  const found = read(value);
  if (!found?.isFinite()) return fail('value', 'invalid_decimal', `"${String(value)}" is not a decimal; give text such as "10.50"`);
  if (typeof value === 'string' && value.length <= KEPT_LENGTH) keep(value, found);
  return found;
}

function keep(value: string, found: Decimal): void {
  if (READ.size >= MOST_KEPT) READ.clear();
  READ.set(value, found);
}

function read(value: string | number | Decimal): Decimal | null {
  try {
    return new Exact(value);
  } catch {
    return null; // decimal.js throws an error of its own for text that is no number; the caller names the problem
  }
}

/** Zero. */
export const ZERO: Decimal = dec(0);
/** One. */
export const ONE: Decimal = dec(1);

/**
 * Plain decimal text: no exponent, no trailing zeros, no negative zero.
 *
 * @example text(dec('0.0000001')) // '0.0000001'
 */
export function text(value: Decimal): string {
  return value.isZero() ? '0' : value.toFixed();
}

/**
 * Reads an amount, price or quantity that came from outside: at most 26 digits before and 12 after the point.
 *
 * @param field the name the problem is reported under
 * @throws BillingError `invalid_decimal` for blanks, exponents, NaN and the like, `too_many_digits` beyond 26 + 12
 *   digits
 * @example parseDecimal('10.50', 'amount') // '10.5'
 */
export function parseDecimal(input: string, field = 'amount'): Decimal {
  const match = DECIMAL_TEXT.exec(input);
  if (!match) return fail(field, 'invalid_decimal', 'give plain decimal text such as "10.50", without exponent, sign + or blanks');
  const [, integer = '', fraction = ''] = match;
  if (integer.length > MAX_INTEGER_DIGITS || fraction.length > MAX_FRACTION_DIGITS) {
    return fail(
      field,
      'too_many_digits',
      `give at most ${MAX_INTEGER_DIGITS} digits before and ${MAX_FRACTION_DIGITS} after the decimal point`,
    );
  }
  return dec(input);
}

/**
 * The canonical text of a decimal text: no leading or trailing zeros, no exponent, no negative zero.
 *
 * @throws BillingError `invalid_decimal`
 * @example plain('010.500') // '10.5'
 */
export function plain(input: string): string {
  return text(dec(input));
}

/**
 * The exact sum; zero of nothing.
 *
 * @example sum([dec('-33.33'), dec('66.67')]) // '33.34'
 */
export function sum(values: readonly Decimal[]): Decimal {
  return values.reduce((total, value) => total.plus(value), ZERO);
}

/**
 * The greater of two decimals.
 *
 * @example larger(dec('1'), dec('2')) // '2'
 */
export function larger(a: Decimal, b: Decimal): Decimal {
  return a.lt(b) ? b : a;
}

/**
 * The smaller of two decimals.
 *
 * @example smaller(dec('1'), dec('2')) // '1'
 */
export function smaller(a: Decimal, b: Decimal): Decimal {
  return a.gt(b) ? b : a;
}
