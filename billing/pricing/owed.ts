import { type Decimal, dec, ZERO } from '../money/decimal.ts';
import type { FractionText } from '../money/fraction.ts';

/**
 * What is owed of an amount in a cycle that is free, or partly free.
 *
 * @example owedOf(dec('1200'), { free: false, freePart: { num: '1', den: '6' } }) // '1000'
 */
export function owedOf(amount: Decimal, { free, freePart }: { free: boolean; freePart?: FractionText | undefined }): Decimal {
  if (free) return ZERO;
  if (freePart === undefined) return amount;
  const { num, den } = freePart;
  return amount.times(dec(den).minus(num)).div(dec(den));
}
