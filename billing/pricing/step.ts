import type { Ratio } from '../calendar/ratio.ts';
import { type Decimal, text } from '../money/decimal.ts';
import type { OverUsageStrategy } from './strategy.ts';

/**
 * One step from units to an amount, as plain JSON, in the order in which it was taken. What a step says it takes (batch
 * size, minimum, bounds, prices, ratios) is exact and enough to compute the amount again; its `units` and `amount` are
 * results, shown to 12 places.
 *
 * `began`: units counted in the billing period before a change are added. `part_minimum`: the part costs less than its
 * share of the minimum, which is charged from zero instead. `fee.before`: what was charged of tiers' fees in the
 * billing period before.
 */
export type PriceStep =
  | { step: 'flat'; amount: string }
  | { step: 'units'; units: string }
  | { step: 'began'; before: string; units: string }
  | { step: 'batch'; batchSize: number; units: string }
  | { step: 'minimum'; minimum: string; ratio: Ratio; units: string }
  | { step: 'part_minimum'; minimum: string; ratio: Ratio; units: string }
  | { step: 'maximum'; maximum: string; strategy: OverUsageStrategy; within: string; above: string }
  | { step: 'charge'; kind: ChargeKind; from: string; upTo: string | null; units: string; unitPrice: string; amount: string }
  | { step: 'fee'; kind: FeeKind; fee: string; before?: string; ratio: Ratio; amount: string }
  | { step: 'pro_rate'; ratio: Ratio; amount: string };

/** What units are charged as: at the price, at the over-usage price, or at a tier's. */
export type ChargeKind = 'price' | 'over_usage' | 'tier';
/** Whose flat fee it is. */
export type FeeKind = 'price_fee' | 'tier_fee';

const SHOWN_DIGITS = 12;

/**
 * A result as shown in a step: plain, to 12 places.
 *
 * @example shown(dec(100).times(10).div(31)) // '32.258064516129'
 */
export function shown(value: Decimal): string {
  return text(value.decimalPlaces() <= SHOWN_DIGITS ? value : value.toDecimalPlaces(SHOWN_DIGITS));
}
