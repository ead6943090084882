import { type Ratio, share } from '../calendar/ratio.ts';
import { type Decimal, dec, larger, plain, text, ZERO } from '../money/decimal.ts';
import type { FieldProblem } from '../problem.ts';
import type { Began } from './began.ts';
import { parseUnits } from './parse-units.ts';
import { type PriceStep, shown } from './step.ts';
import type { UnitPricing, UsageDetails, UsagePricing } from './strategy.ts';

/** Units rounded up to a whole number of batches; without a batch size as they are. */
function roundUpToBatch(units: Decimal, batchSize: number | null): Decimal {
  if (batchSize === null) return units;
  const batches = units.divToInt(batchSize);
  const full = batches.times(batchSize);
  return full.lt(units) ? full.plus(batchSize) : full;
}

/**
 * The units charged for units bought: rounded up to the batch size. Reported usage doesn't matter.
 *
 * @example chargedUnits({ ...seats('10', '1').strategy, batchSize: 5 }, '12') // '15'
 */
export function chargedUnits(details: UnitPricing, units: string): string {
  return text(roundUpToBatch(dec(units), details.batchSize));
}

/**
 * What is wrong with a number of units to buy: not a decimal of zero or more, or, once rounded up to the batch size,
 * outside the limits.
 */
export function checkUnits(details: UnitPricing, units: string, field: string): FieldProblem[] {
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

/** The units that a usage price is charged for: those between two counts. */
export interface Counted {
  from: Decimal;
  to: Decimal;
  steps: PriceStep[];
}

/**
 * The units charged for units used: rounded up to the batch size, then at least the minimum. Of a part of a period the
 * minimum is pro-rated, the batch size not. In a later part all units of the billing period are rounded, those counted
 * before it too, and the minimum is left out (`part_minimum`).
 *
 * @param ratio the share of the whole period
 * @example
 * const inHundreds = usage('1', { batch: 100, minimum: '500' }).strategy;
 * countedUnits(inHundreds, '199', FULL, null).to // '500'
 * countedUnits(inHundreds, '150', FULL, { units: '910', tierFees: null }).to // '1100'
 */
export function countedUnits(details: UsagePricing, used: string, ratio: Ratio, began: Began | null): Counted {
  const units = dec(used);
  const steps: PriceStep[] = [{ step: 'units', units: text(units) }];
  const before = began === null ? ZERO : dec(began.units);
  const all = before.plus(units);
  if (began !== null) steps.push({ step: 'began', before: text(before), units: text(all) });
  const batched = roundUpToBatch(all, details.batchSize);
  if (details.batchSize !== null) steps.push({ step: 'batch', batchSize: details.batchSize, units: text(batched) });
  const from = roundUpToBatch(before, details.batchSize);
  if (details.minimumUnits === null || began !== null) return { from, to: batched, steps };
  const minimum = share(dec(details.minimumUnits), ratio);
  const to = larger(batched, minimum);
  steps.push({ step: 'minimum', minimum: plain(details.minimumUnits), ratio: { ...ratio }, units: shown(to) });
  return { from, to, steps };
}

/**
 * The units between two counts that lie above the maximum: those are charged at the over-usage price; with
 * `all_usage_overcharge` all of them are, once the maximum is passed. The maximum isn't pro-rated.
 *
 * @example overUsage(usage('1', { maximum: '1000' }).strategy, dec('900'), dec('1200')).above // '200'
 */
export function overUsage(details: UsageDetails, from: Decimal, to: Decimal): { above: Decimal; steps: PriceStep[] } {
  if (details.maximumUnits === null) return { above: ZERO, steps: [] };
  const maximum = dec(details.maximumUnits);
  const everything = details.overUsageChargeStrategy === 'all_usage_overcharge' && to.gt(maximum);
  const charged = to.minus(from);
  const above = everything ? charged : larger(to.minus(larger(from, maximum)), ZERO);
  return {
    above,
    steps: [
      {
        step: 'maximum',
        maximum: text(maximum),
        strategy: details.overUsageChargeStrategy,
        within: shown(charged.minus(above)),
        above: shown(above),
      },
    ],
  };
}
