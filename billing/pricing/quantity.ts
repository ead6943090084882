import { type Ratio, share } from '../calendar/ratio.ts';
import { type Decimal, dec, plain, smaller, text, ZERO } from '../money/decimal.ts';
import type { Problem } from '../problem.ts';
import { parseUnits } from './parse-units.ts';
import { type PriceStep, shown } from './step.ts';
import type { UnitPricing, UsageDetails, UsagePricing } from './strategy.ts';

/**
 * Units rounded up to a whole number of batches; without a batch size as they are.
 *
 * @example roundUpToBatch(dec('199'), 100) // 200
 */
function roundUpToBatch(units: Decimal, batchSize: number | null): Decimal {
  if (batchSize === null) return units;
  const batches = units.divToInt(batchSize);
  const full = batches.times(batchSize);
  return full.lt(units) ? full.plus(batchSize) : full;
}

/**
 * The units charged for units bought: rounded up to the batch size. Reported usage doesn't matter.
 *
 * @example chargedUnits({ …, batchSize: 5 }, '12') // '15'
 */
export function chargedUnits(details: UnitPricing, units: string): string {
  return text(roundUpToBatch(dec(units), details.batchSize));
}

/**
 * What is wrong with a number of units to buy: not a decimal of zero or more, or, once rounded up to the batch size, outside the limits.
 *
 * @example checkUnits({ …, minimumUnits: '1', maximumUnits: '10', batchSize: 5 }, '11', 'units') // [{ code: 'above_maximum', … }] as 15 > 10
 */
export function checkUnits(details: UnitPricing, units: string, field: string): Problem[] {
  const read = parseUnits(units, field);
  if (read.problems.length > 0) return read.problems;
  const charged = roundUpToBatch(read.units, details.batchSize);
  const counted = details.batchSize === null ? '' : ` once rounded up to batches of ${details.batchSize}`;
  if (charged.lt(details.minimumUnits)) {
    return [{ field, code: 'below_minimum', message: `give at least ${plain(details.minimumUnits)} units${counted}` }];
  }
  if (details.maximumUnits !== null && charged.gt(details.maximumUnits)) {
    return [{ field, code: 'above_maximum', message: `give at most ${plain(details.maximumUnits)} units${counted}` }];
  }
  return [];
}

/** Units of a usage price on their way to money. `charged` = `within` + `above`. */
export interface UsageQuantity {
  /** After batch size and minimum. */
  charged: Decimal;
  /** The part at the price. */
  within: Decimal;
  /** The part at the over-usage price. */
  above: Decimal;
  steps: PriceStep[];
}

/**
 * The units charged for units used: rounded up to the batch size, then at least the minimum. Of a part of a period the minimum
 * is pro-rated, the batch size not.
 *
 * @param ratio the share of the whole period
 * @example raisedUsage({ …, batchSize: 100, minimumUnits: '500' }, '199', FULL) // 500 by way of 200
 */
export function raisedUsage(details: UsagePricing, used: string, ratio: Ratio): { charged: Decimal; steps: PriceStep[] } {
  const units = dec(used);
  const steps: PriceStep[] = [{ step: 'units', units: text(units) }];
  const batched = roundUpToBatch(units, details.batchSize);
  if (details.batchSize !== null) steps.push({ step: 'batch', batchSize: details.batchSize, units: text(batched) });
  if (details.minimumUnits === null) return { charged: batched, steps };
  const minimum = share(dec(details.minimumUnits), ratio);
  const charged = batched.lt(minimum) ? minimum : batched;
  steps.push({ step: 'minimum', minimum: plain(details.minimumUnits), ratio: { ...ratio }, units: shown(charged) });
  return { charged, steps };
}

/**
 * The units of a usage price, split at the maximum: what lies within it is charged at the price, what lies above it at the over-usage
 * price; with `all_usage_overcharge` everything is, once the maximum is passed. The maximum isn't pro-rated.
 *
 * @example usageQuantity({ …, maximumUnits: '1000', overUsageChargeStrategy: 'extra_usage_overcharge' }, '1200', FULL) // within 1000, above 200
 */
export function usageQuantity(details: UsageDetails, used: string, ratio: Ratio): UsageQuantity {
  const { charged, steps } = raisedUsage(details, used, ratio);
  if (details.maximumUnits === null) return { charged, within: charged, above: ZERO, steps };
  const maximum = dec(details.maximumUnits);
  const everything = details.overUsageChargeStrategy === 'all_usage_overcharge' && charged.gt(maximum);
  const within = everything ? ZERO : smaller(charged, maximum);
  const above = charged.minus(within);
  steps.push({
    step: 'maximum',
    maximum: text(maximum),
    strategy: details.overUsageChargeStrategy,
    within: shown(within),
    above: shown(above),
  });
  return { charged, within, above, steps };
}
