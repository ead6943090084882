import type { Ratio } from '../calendar/ratio.ts';
import type { Currency } from '../money/currency.ts';
import { type Fraction, fraction, fractionMoney, isBelow, minus, plus, times, ZERO_FRACTION } from '../money/fraction.ts';
import type { PriceStep } from './step.ts';

/**
 * The amount of a price computed again from its derivation alone, in whole-number fractions instead of decimals, so
 * that it checks the first computation and doesn't repeat it. The results shown in the steps are not used.
 *
 * @returns money text, rounded once
 * @example
 * const ratio = { part: 29, whole: 31 };
 * recompute([{ step: 'flat', amount: '599.95' }, { step: 'pro_rate', ratio }], 'usd') // '561.24'
 */
export function recompute(steps: readonly PriceStep[], currency: Currency): string {
  return fractionMoney(recomputeExact(steps), currency);
}

/**
 * The unrounded amount of a derivation, for callers that still apply discount and tax.
 *
 * @example
 * const steps = [
 *   { step: 'units', units: '3' },
 *   { step: 'charge', from: '0', upTo: null, unitPrice: '0.5' },
 * ];
 * recomputeExact(steps) // { num: 15n, den: 10n }
 */
export function recomputeExact(steps: readonly PriceStep[]): Fraction {
  const start: Tally = { units: ZERO_FRACTION, amount: ZERO_FRACTION };
  return steps.reduce(follow, start).amount;
}

interface Tally {
  units: Fraction;
  amount: Fraction;
}

function follow(tally: Tally, step: PriceStep): Tally {
  const { units, amount } = tally;
  switch (step.step) {
    case 'flat':
      return { units, amount: plus(amount, fraction(step.amount)) };
    case 'units':
      return { units: fraction(step.units), amount };
    case 'began':
      return { units: plus(units, fraction(step.before)), amount };
    case 'batch':
      return { units: wholeBatches(units, BigInt(step.batchSize)), amount };
    case 'minimum': {
      const minimum = times(fraction(step.minimum), ofRatio(step.ratio));
      return { units: isBelow(units, minimum) ? minimum : units, amount };
    }
    case 'part_minimum':
      return { units: times(fraction(step.minimum), ofRatio(step.ratio)), amount };
    case 'maximum':
      return tally; // the split shows in the bounds of the charges
    case 'charge':
      return { units, amount: plus(amount, times(between(units, step.from, step.upTo), fraction(step.unitPrice))) };
    case 'fee':
      return { units, amount: plus(amount, times(owedOf(step), ofRatio(step.ratio))) };
    case 'pro_rate':
      return { units, amount: times(amount, ofRatio(step.ratio)) };
  }
}

function owedOf({ fee, before = '0' }: Extract<PriceStep, { step: 'fee' }>): Fraction {
  const owed = minus(fraction(fee), fraction(before));
  return isBelow(owed, ZERO_FRACTION) ? ZERO_FRACTION : owed;
}

function ofRatio({ part, whole }: Ratio): Fraction {
  return { num: BigInt(part), den: BigInt(whole) };
}

function wholeBatches({ num, den }: Fraction, batch: bigint): Fraction {
  const size = den * batch;
  return { num: ((num + size - 1n) / size) * batch, den: 1n };
}

/** The part of the units that lies above `from` and up to `upTo`. */
function between(units: Fraction, from: string, upTo: string | null): Fraction {
  const end = upTo !== null && isBelow(fraction(upTo), units) ? fraction(upTo) : units;
  const start = fraction(from);
  return isBelow(start, end) ? minus(end, start) : ZERO_FRACTION;
}
