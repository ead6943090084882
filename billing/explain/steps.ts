import { isFull, type Ratio, ratioText } from '../calendar/ratio.ts';
import { type Currency, minorDigits } from '../money/currency.ts';
import type { Decimal } from '../money/decimal.ts';
import { shown } from '../pricing/step.ts';
import type { RatioStep, RoundingStep } from './derivation.ts';

/**
 * A ratio as a derivation stores it.
 *
 * @example ratioStep({ part: 16, whole: 31 }).shown // '0.516129032258'
 */
export function ratioStep(ratio: Ratio): RatioStep {
  return { part: ratio.part, whole: ratio.whole, shown: isFull(ratio) ? '1' : ratioText(ratio) };
}

/**
 * The amounts before a line's one rounding, to 12 places: enough to see to which side they were rounded.
 *
 * @example roundingStep('usd', dec(100).div(3), dec(100).div(3)).exactNet // '33.333333333333'
 */
export function roundingStep(currency: Currency, exactSubtotal: Decimal, exactNet: Decimal): RoundingStep {
  const subtotal = shown(exactSubtotal);
  return {
    digits: minorDigits(currency),
    mode: 'half away from zero',
    exactSubtotal: subtotal,
    // without a discount it is the same number
    exactNet: exactNet === exactSubtotal ? subtotal : shown(exactNet),
  };
}
