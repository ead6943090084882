import { fail } from '../problem.ts';
import { type Currency, minorDigits } from './currency.ts';
import { type Decimal, dec, sum } from './decimal.ts';
import { roundMoney } from './round.ts';

/**
 * Splits money in proportion to weights so that the parts add up to the (rounded) total exactly: every part gets its
 * share rounded down to the minor unit, the units that are left go to the largest remainders, ties to the earlier part.
 * A zero weight gets zero; the total's sign is the parts' sign.
 *
 * @param weights not negative, at least one above zero unless the total is zero
 * @throws BillingError `negative_weight`, `nothing_to_allocate_to`
 * @example allocate(dec('10.00'), [dec(1), dec(1), dec(1)], 'usd') // ['3.34', '3.33', '3.33']
 */
export function allocate(total: Decimal, weights: readonly Decimal[], currency: Currency): Decimal[] {
  const rounded = roundMoney(total, currency);
  if (weights.some((weight) => weight.isNegative() && !weight.isZero())) fail('weights', 'negative_weight', 'give weights of zero or more');
  if (rounded.isZero()) return weights.map(() => dec(0));
  const whole = sum(weights);
  if (whole.isZero()) return fail('weights', 'nothing_to_allocate_to', 'give at least one weight above zero');

  const unit = dec(10).pow(-minorDigits(currency));
  const units = rounded.abs().div(unit);
  const parts = weights.map((weight, index) => {
    const product = units.times(weight);
    const share = product.divToInt(whole);
    return { index, share, left: product.minus(share.times(whole)) };
  });
  const spare = units.minus(sum(parts.map((part) => part.share))).toNumber();
  // A remainder is a product of exact numbers, so a tie is seen as one; sorting leaves equal ones in their order.
  const rounding = new Set(
    parts
      .toSorted((a, b) => b.left.comparedTo(a.left))
      .slice(0, spare)
      .map((part) => part.index),
  );
  const sign = rounded.isNegative() ? -1 : 1;
  return parts.map(({ share, index }) => signed(share.plus(rounding.has(index) ? 1 : 0).times(unit), sign));
}

function signed(part: Decimal, sign: number): Decimal {
  return part.isZero() ? dec(0) : part.times(sign);
}
