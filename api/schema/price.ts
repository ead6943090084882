import { z } from 'zod';
import { Count, DecimalInput, DecimalText, MAX_INT32, Name } from './common.ts';

/** `strategy_details` of a price, in requests and answers, one variant per `pricing_strategy`. */

const OverUsage = z
  .enum(['extra_usage_overcharge', 'all_usage_overcharge'])
  .meta({ id: 'OverUsageChargeStrategy', description: 'charge only the part above the maximum at the over-usage price, or all of it' });
const BatchSize = z.int().min(1).max(MAX_INT32);
const TierMode = z.enum(['graduated', 'volume']);

const TierRequest = z.strictObject({ up_to: DecimalInput.nullish(), unit_price: DecimalInput, flat_fee: DecimalInput.nullish() });
const tiersRequest = {
  unit_name: Name.nullish(),
  tier_mode: TierMode,
  tiers: z.array(TierRequest).min(1).max(100),
};

export const StrategyRequest = z
  .discriminatedUnion('pricing_strategy', [
    z.strictObject({ pricing_strategy: z.literal('flat') }),
    z.strictObject({
      pricing_strategy: z.literal('per_unit'),
      unit_name: Name,
      unit_count: DecimalInput.nullish(),
      minimum_units: DecimalInput.nullish(),
      maximum_units: DecimalInput.nullish(),
      batch_size: BatchSize.nullish(),
      flat_fee: DecimalInput.nullish(),
    }),
    z.strictObject({
      pricing_strategy: z.literal('usage'),
      unit_name: Name,
      over_usage_charge_strategy: OverUsage.nullish(),
      minimum_units: DecimalInput.nullish(),
      maximum_units: DecimalInput.nullish(),
      over_usage_price: DecimalInput.nullish(),
      batch_size: BatchSize.nullish(),
      flat_fee: DecimalInput.nullish(),
    }),
    z.strictObject({
      pricing_strategy: z.literal('unit_tiered'),
      unit_count: DecimalInput.nullish(),
      minimum_units: DecimalInput.nullish(),
      maximum_units: DecimalInput.nullish(),
      batch_size: BatchSize.nullish(),
      flat_fee: DecimalInput.nullish(),
      ...tiersRequest,
    }),
    z.strictObject({
      pricing_strategy: z.literal('usage_tiered'),
      over_usage_charge_strategy: OverUsage.nullish().meta({ description: 'without effect: the tiers price all units' }),
      minimum_units: DecimalInput.nullish(),
      maximum_units: DecimalInput.nullish().meta({ description: 'shown; without effect: the tiers price all units' }),
      batch_size: BatchSize.nullish(),
      flat_fee: DecimalInput.nullish(),
      ...tiersRequest,
    }),
  ])
  .meta({ id: 'StrategyDetailsRequest' });

export const PriceRequest = z
  .strictObject({
    amount: DecimalInput,
    strategy_details: StrategyRequest,
    free_cycles: Count.nullish(),
    tax_code: Name.nullish(),
  })
  .meta({ id: 'PriceRequest' });

const Maybe = DecimalText.nullable();
const Tier = z.object({ up_to: Maybe, unit_price: DecimalText, flat_fee: DecimalText });
const tiers = { unit_name: z.string(), tier_mode: TierMode, tiers: z.array(Tier) };
/** What a contract adds: units reported and charged so far. */
const units = { units_charged: Maybe, units_used: Maybe };

export const StrategyDetails = z
  .discriminatedUnion('pricing_strategy', [
    z.object({ pricing_strategy: z.literal('flat') }),
    z.object({
      pricing_strategy: z.literal('per_unit'),
      unit_name: z.string(),
      unit_count: DecimalText,
      minimum_units: DecimalText,
      batch_size: z.int().nullable(),
      flat_fee: Maybe,
      maximum_units: Maybe,
      ...units,
    }),
    z.object({
      pricing_strategy: z.literal('usage'),
      unit_name: z.string(),
      over_usage_charge_strategy: OverUsage,
      batch_size: z.int().nullable(),
      flat_fee: Maybe,
      maximum_units: Maybe,
      minimum_units: Maybe,
      over_usage_price: Maybe,
      over_usage_unit_charged: Maybe,
      ...units,
    }),
    z.object({
      pricing_strategy: z.literal('unit_tiered'),
      unit_count: DecimalText,
      minimum_units: DecimalText,
      maximum_units: Maybe,
      batch_size: z.int().nullable(),
      flat_fee: Maybe,
      ...tiers,
      ...units,
    }),
    z.object({
      pricing_strategy: z.literal('usage_tiered'),
      minimum_units: Maybe,
      maximum_units: Maybe,
      batch_size: z.int().nullable(),
      flat_fee: Maybe,
      ...tiers,
      ...units,
    }),
  ])
  .meta({ id: 'StrategyDetails' });

/** A price in the catalogue. */
export const CataloguePrice = z
  .object({ amount: DecimalText, strategy_details: StrategyDetails, free_cycles: z.int().min(0), tax_code: z.string().nullable() })
  .meta({ id: 'Price' });
