import { type Currency, minorDigits } from './currency.ts';

/** An exact fraction of whole numbers, `den` above zero, not necessarily in lowest terms. */
export interface Fraction {
  num: bigint;
  den: bigint;
}

/** Zero as a fraction. */
export const ZERO_FRACTION: Fraction = { num: 0n, den: 1n };

/**
 * The fraction a plain decimal text stands for.
 *
 * @throws SyntaxError when the text isn't plain decimal text
 * @example fraction('-0.25') // { num: -25n, den: 100n }
 */
export function fraction(decimalText: string): Fraction {
  const [integer = '', decimals = ''] = decimalText.split('.');
  return { num: BigInt(integer + decimals), den: 10n ** BigInt(decimals.length) };
}

/**
 * The sum of two fractions.
 *
 * @example plus({ num: 1n, den: 2n }, { num: 1n, den: 4n }) // { num: 6n, den: 8n }
 */
export function plus(a: Fraction, b: Fraction): Fraction {
  return { num: a.num * b.den + b.num * a.den, den: a.den * b.den };
}

/**
 * The difference of two fractions.
 *
 * @example minus(fraction('1'), fraction('0.25')) // { num: 75n, den: 100n }
 */
export function minus(a: Fraction, b: Fraction): Fraction {
  return plus(a, { num: -b.num, den: b.den });
}

/**
 * The product of two fractions.
 *
 * @example times(fraction('599.95'), { num: 29n, den: 31n }) // { num: 1739855n, den: 3100n }
 */
export function times(a: Fraction, b: Fraction): Fraction {
  return { num: a.num * b.num, den: a.den * b.den };
}

/** Whether one fraction is below another. */
export function isBelow(a: Fraction, b: Fraction): boolean {
  return a.num * b.den < b.num * a.den;
}

/**
 * A fraction rounded half away from zero to the currency's minor digits, as money text.
 *
 * @example fractionMoney({ num: -1n, den: 200n }, 'usd') // '-0.01'
 */
export function fractionMoney(value: Fraction, currency: Currency): string {
  return fractionText(value, minorDigits(currency));
}

/**
 * A fraction rounded half away from zero to a number of places; all of them are shown.
 *
 * @example fractionText({ num: 5n, den: 2n }, 0) // '3'
 */
export function fractionText({ num, den }: Fraction, digits: number): string {
  const scaled = (num < 0n ? -num : num) * 10n ** BigInt(digits);
  const units = (2n * scaled + den) / (2n * den);
  const padded = units.toString().padStart(digits + 1, '0');
  const sign = num < 0n && units > 0n ? '-' : '';
  return digits === 0 ? sign + padded : `${sign}${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}

/**
 * The larger of two fractions.
 *
 * @example largerFraction(fraction('0.3'), fraction('0.25')) // { num: 3n, den: 10n }
 */
export function largerFraction(a: Fraction, b: Fraction): Fraction {
  return isBelow(a, b) ? b : a;
}

/**
 * The smaller of two fractions.
 *
 * @example smallerFraction(fraction('0.3'), fraction('0.25')) // { num: 25n, den: 100n }
 */
export function smallerFraction(a: Fraction, b: Fraction): Fraction {
  return isBelow(b, a) ? b : a;
}

/** An exact fraction as it is stored: whole numbers in decimal text, in lowest terms. */
export interface FractionText {
  num: string;
  den: string;
}

/**
 * A fraction in the form in which it is stored.
 *
 * @example asText({ num: 2n, den: 12n }) // { num: '1', den: '6' }
 */
export function asText({ num, den }: Fraction): FractionText {
  const divisor = commonDivisor(num < 0n ? -num : num, den);
  return { num: String(num / divisor), den: String(den / divisor) };
}

function commonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : commonDivisor(b, a % b);
}

/**
 * A fraction read from the form in which it is stored.
 *
 * @example fractionOf({ num: '1', den: '6' }) // { num: 1n, den: 6n }
 */
export function fractionOf({ num, den }: FractionText): Fraction {
  return { num: BigInt(num), den: BigInt(den) };
}
