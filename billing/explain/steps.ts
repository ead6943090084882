import { type Ratio, ratioText } from '../calendar/ratio.ts';
import type { Currency } from '../money/currency.ts';
import { minorDigits } from '../money/currency.ts';
import { type Decimal, text } from '../money/decimal.ts';
import type { RatioStep, RoundingStep } from './derivation.ts';

// Enough to see on which side of the half an amount stood; the exact value follows from price, units and ratio.
const SHOWN_DIGITS = 12;

/**
 * A ratio as a derivation keeps it.
 *
 * @example ratioStep({ part: 16, whole: 31 }) // { part: 16, whole: 31, shown: '0.516129032258' }
 */
export function ratioStep(ratio: Ratio): RatioStep {
  return { part: ratio.part, whole: ratio.whole, shown: ratioText(ratio) };
}

/**
 * What a line's one rounding was given, to 12 places.
 *
 * @example roundingStep('usd', dec(50).times(20).div(30), dec(50).times(20).div(30)) // exactNet '33.333333333333', digits 2
 */
export function roundingStep(currency: Currency, exactSubtotal: Decimal, exactNet: Decimal): RoundingStep {
  return {
    digits: minorDigits(currency),
    mode: 'half away from zero',
    exactSubtotal: text(exactSubtotal.toDecimalPlaces(SHOWN_DIGITS)),
    exactNet: text(exactNet.toDecimalPlaces(SHOWN_DIGITS)),
  };
}
