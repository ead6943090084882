import { LARGEST_COUNT } from '../largest-count.ts';
import type { Decimal } from '../money/decimal.ts';
import type { FieldProblem } from '../problem.ts';
import { parseUnits } from './parse-units.ts';
import { checkUnits } from './quantity.ts';
import {
  type ChargeTrigger,
  isUnits,
  isUsage,
  type Price,
  type StrategyDetails,
  type Tier,
  type UnitPricing,
  type UsagePricing,
} from './strategy.ts';

/**
 * What a price belongs to, which limits what it may be. `chargeTrigger` null: a plan or group price, charged every
 * cycle.
 */
export interface PricePlace {
  chargeTrigger: ChargeTrigger | null;
}

/**
 * Everything that is wrong with a price: it is refused when it is made, so that it never fails at billing time. Checked
 * are negative amounts and too many digits, a minimum above the maximum, a default outside the limits, tiers that
 * overlap or leave the end open, usage that isn't charged every cycle.
 *
 * @param field where the price stands in the request, such as `pricings[0].features.seats`
 */
export function checkPrice(price: Price, field: string, { chargeTrigger }: PricePlace): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const details = price.strategy;
  const at = `${field}.strategy_details`;
  const amount = readAmount(problems, price.amount, `${field}.amount`);
  if (amount && isTiered(details) && !amount.isZero())
    add(problems, `${field}.amount`, 'amount_not_used', 'give "0": the tiers carry the prices');
  if (!Number.isInteger(price.freeCycles) || price.freeCycles < 0)
    add(problems, `${field}.free_cycles`, 'invalid_count', 'give a whole number from 0');
  if (isUsage(details) && chargeTrigger !== null && chargeTrigger !== 'every_cycle') {
    add(
      problems,
      `${at}.pricing_strategy`,
      'usage_needs_every_cycle',
      'use charge_trigger "every_cycle" for a usage price, or another strategy',
    );
  }
  if (details.kind !== 'flat') problems.push(...checkQuantities(details, at));
  if (isTiered(details)) problems.push(...checkTiers(details.tiers, `${at}.tiers`));
  return problems;
}

function isTiered(details: StrategyDetails): details is Extract<StrategyDetails, { tiers: Tier[] }> {
  return details.kind === 'unit_tiered' || details.kind === 'usage_tiered';
}

function checkQuantities(details: UnitPricing | UsagePricing, at: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const { batchSize } = details;
  if (batchSize !== null && !(Number.isInteger(batchSize) && batchSize >= 1 && batchSize <= LARGEST_COUNT)) {
    add(problems, `${at}.batch_size`, 'invalid_count', `give a whole number from 1 to ${LARGEST_COUNT}, or leave it out`);
  }
  readAmount(problems, details.flatFee, `${at}.flat_fee`);
  if (details.kind === 'usage') readAmount(problems, details.overUsagePrice, `${at}.over_usage_price`);
  const minimum = readAmount(problems, details.minimumUnits, `${at}.minimum_units`);
  const maximum = readAmount(problems, details.maximumUnits, `${at}.maximum_units`);
  if (minimum && maximum?.lt(minimum))
    add(problems, `${at}.minimum_units`, 'minimum_above_maximum', 'give a minimum of at most maximum_units');
  if (isUnits(details)) readAmount(problems, details.unitCount, `${at}.unit_count`);
  if (isUnits(details) && problems.length === 0) problems.push(...checkUnits(details, details.unitCount, `${at}.unit_count`));
  return problems;
}

function checkTiers(tiers: Tier[], at: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (tiers.length === 0) add(problems, at, 'no_tiers', 'give at least one tier, the last one with up_to null');
  let reached: Decimal | null = null;
  for (const [index, tier] of tiers.entries()) {
    const field = `${at}[${index}]`;
    const isLast = index === tiers.length - 1;
    readAmount(problems, tier.unitPrice, `${field}.unit_price`);
    readAmount(problems, tier.flatFee, `${field}.flat_fee`);
    const upTo = readAmount(problems, tier.upTo, `${field}.up_to`);
    if (isLast && tier.upTo !== null) add(problems, `${field}.up_to`, 'last_tier_not_open', 'give null in the last tier');
    if (!isLast && tier.upTo === null) add(problems, `${field}.up_to`, 'open_tier_not_last', 'give a number; only the last tier is open');
    if (upTo?.lte(reached ?? 0))
      add(problems, `${field}.up_to`, 'tiers_overlap', 'give tiers in ascending order, each ending above the one before');
    reached = upTo ?? reached;
  }
  return problems;
}

/**
 * Reads an amount that may be absent. Where something is wrong with it, that joins the problems and the result is null.
 */
function readAmount(problems: FieldProblem[], input: string | null, field: string): Decimal | null {
  if (input === null) return null;
  const read = parseUnits(input, field);
  problems.push(...read.problems);
  return read.problems.length > 0 ? null : read.units;
}

function add(problems: FieldProblem[], field: string, code: string, message: string): void {
  problems.push({ field, code, message });
}
