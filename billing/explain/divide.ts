import { type Currency, minorDigits } from '../money/currency.ts';
import { type Fraction, isBelow, minus, plus, times, ZERO_FRACTION } from '../money/fraction.ts';

/**
 * Divides an amount of whole minor units in proportion to weights, as `allocate` does, in fractions: what is left goes
 * to the largest remainders, the earlier of equals.
 *
 * @param weights not negative
 * @example divided(fraction('0.10'), [fraction('2'), fraction('1')], 'usd') // [{ num: 7n, den: 100n }, { num: 3n, den: 100n }]
 */
export function divided(amount: Fraction, weights: readonly Fraction[], currency: Currency): Fraction[] {
  const scale = 10n ** BigInt(minorDigits(currency));
  const sum = weights.reduce(plus, ZERO_FRACTION);
  if (!isBelow(ZERO_FRACTION, sum)) return weights.map(() => ZERO_FRACTION);
  const all = (amount.num * scale) / amount.den;
  const shares = weights.map((weight) => times({ num: all, den: 1n }, { num: weight.num * sum.den, den: weight.den * sum.num }));
  const floors = shares.map(({ num, den }) => num / den);
  const spare = Number(all - floors.reduce((a, b) => a + b, 0n));
  const rests = shares.map((share, index) => ({ index, rest: minus(share, { num: floors[index] ?? 0n, den: 1n }) }));
  rests.sort((a, b) => (isBelow(b.rest, a.rest) ? -1 : isBelow(a.rest, b.rest) ? 1 : a.index - b.index));
  const raised = new Set(rests.slice(0, spare).map(({ index }) => index));
  return floors.map((floor, index) => ({ num: floor + (raised.has(index) ? 1n : 0n), den: scale }));
}
