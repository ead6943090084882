import { z } from 'zod';
import { LARGEST_COUNT } from '../../billing/largest-count.ts';
import { Count, DecimalInput, DecimalText, listOf, Name } from './common.ts';

/** `strategy_details` of a price in requests and responses, one variant for each `pricing_strategy`. */

const OverUsage = z.enum(['extra_usage_overcharge', 'all_usage_overcharge']).meta({
  id: 'OverUsageChargeStrategy',
  description:
    'Above `maximum_units`: extra_usage_overcharge (the default) charges only the units above it at the over-usage price, all_usage_overcharge charges all units at it.',
});
const BatchSize = z.int().min(1).max(LARGEST_COUNT);
const TierMode = z.enum(['graduated', 'volume']);

const TierRequest = z.strictObject({
  up_to: DecimalInput.nullish().describe('Last unit of this tier, inclusive; null or absent only in the last tier, which has no end.'),
  unit_price: DecimalInput.describe('Price of one unit in this tier.'),
  flat_fee: DecimalInput.nullish().describe(
    'Graduated: charged once when the units reach the tier, for the first tier also at zero units; volume: only the fee of the total’s tier is charged. Default 0.',
  ),
});
const tiersRequest = {
  unit_name: Name.nullish().describe('What is counted, for example `seat`; `unit` unless given.'),
  tier_mode: TierMode.describe(
    'graduated: each unit costs what its own tier says; volume: all units cost what the tier of their total says.',
  ),
  tiers: listOf(TierRequest, 100, 1).describe('In ascending order of `up_to`, without gaps.'),
};

const ONLY_SHOWN = ['units_charged', 'units_used', 'over_usage_unit_charged'];

/** Responses show the units of a contract, which the catalogue has as null: a price can be written as it was read. */
function withoutShown(details: unknown): unknown {
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return details;
  return Object.fromEntries(Object.entries(details).filter(([name, value]) => value !== null || !ONLY_SHOWN.includes(name)));
}

const StrategyFields = z
  .discriminatedUnion('pricing_strategy', [
    z.strictObject({ pricing_strategy: z.literal('flat').describe('One price, whatever is used.') }),
    z.strictObject({
      pricing_strategy: z.literal('per_unit').describe('The price of one unit times the units bought.'),
      unit_name: Name.describe('What is counted, for example `seat` or `call`.'),
      unit_count: DecimalInput.nullish().describe(
        'Units bought where a contract names no number; `minimum_units` unless given, 1 where that is 0.',
      ),
      minimum_units: DecimalInput.nullish().describe('Fewest units that may be bought. Default 0.'),
      maximum_units: DecimalInput.nullish().describe('Most units that may be bought; null or absent for no limit.'),
      batch_size: BatchSize.nullish().describe('Units are rounded up to a multiple of this; null or absent: charged one by one.'),
      flat_fee: DecimalInput.nullish().describe('Added once per charge, on the same line, also at zero units. Default 0.'),
    }),
    z.strictObject({
      pricing_strategy: z
        .literal('usage')
        .describe('The price of one unit times the units reported in the billing period, charged at its end.'),
      unit_name: Name.describe('What is counted, for example `seat` or `call`.'),
      over_usage_charge_strategy: OverUsage.nullish().describe('Which units cost the over-usage price above `maximum_units`.'),
      minimum_units: DecimalInput.nullish().describe(
        'Units charged at least, also when fewer are used; a part of a period charges its share. Default none.',
      ),
      maximum_units: DecimalInput.nullish().describe(
        'Units at the usual price; units above it cost `over_usage_price`. Null or absent for no limit.',
      ),
      over_usage_price: DecimalInput.nullish().describe('Price of one unit above `maximum_units`; the usual price unless given.'),
      batch_size: BatchSize.nullish().describe('Units are rounded up to a multiple of this; null or absent: charged one by one.'),
      flat_fee: DecimalInput.nullish().describe('Added once per charge, on the same line, also at zero units. Default 0.'),
    }),
    z.strictObject({
      pricing_strategy: z.literal('unit_tiered').describe('Units are bought and priced by tiers.'),
      unit_count: DecimalInput.nullish().describe(
        'Units bought where a contract names no number; `minimum_units` unless given, 1 where that is 0.',
      ),
      minimum_units: DecimalInput.nullish().describe('Fewest units that may be bought. Default 0.'),
      maximum_units: DecimalInput.nullish().describe('Most units that may be bought; null or absent for no limit.'),
      batch_size: BatchSize.nullish().describe('Units are rounded up to a multiple of this; null or absent: charged one by one.'),
      flat_fee: DecimalInput.nullish().describe('Added once per charge, on the same line, also at zero units. Default 0.'),
      ...tiersRequest,
    }),
    z.strictObject({
      pricing_strategy: z
        .literal('usage_tiered')
        .describe('Units are reported and priced by tiers, charged at the end of the billing period.'),
      over_usage_charge_strategy: OverUsage.nullish().describe('Accepted without effect, since the tiers price all units.'),
      minimum_units: DecimalInput.nullish().describe(
        'Units charged at least, also when fewer are used; a part of a period charges its share. Default none.',
      ),
      maximum_units: DecimalInput.nullish().describe('Shown with the plan, without effect, since the tiers price all units.'),
      batch_size: BatchSize.nullish().describe('Units are rounded up to a multiple of this; null or absent: charged one by one.'),
      flat_fee: DecimalInput.nullish().describe('Added once per charge, on the same line, also at zero units. Default 0.'),
      ...tiersRequest,
    }),
  ])
  .meta({ id: 'StrategyDetailsRequest', description: 'How a price is computed, one variant for each `pricing_strategy`.' });
export const StrategyRequest = z.preprocess(withoutShown, StrategyFields);

export const PriceRequest = z
  .strictObject({
    amount: DecimalInput.describe(
      'Price of one unit, or the whole price when flat, per cycle of the pricing. "0" with tiers, which have their own prices.',
    ),
    strategy_details: StrategyRequest.describe('How units count.'),
    free_cycles: Count.nullish().describe('First cycles in which this price alone is free. Default 0.'),
    tax_code: Name.nullish().describe('Selects the tax rates with this `tax_code`; null or absent: rates without a code.'),
  })
  .meta({ id: 'PriceRequest', description: 'A price of a plan, a feature or a group.' });

const DecimalOrNull = DecimalText.nullable();
const Tier = z.object({
  up_to: DecimalOrNull.describe('Last unit of this tier, inclusive; null in the last tier, which has no end.'),
  unit_price: DecimalText.describe('Price of one unit in this tier.'),
  flat_fee: DecimalText.describe(
    'Graduated: charged once when the units reach the tier; volume: only the fee of the total’s tier is charged. "0.00" for none.',
  ),
});
const tiers = {
  unit_name: z.string().describe('What is counted, for example `seat`.'),
  tier_mode: TierMode.describe(
    'graduated: each unit costs what its own tier says; volume: all units cost what the tier of their total says.',
  ),
  tiers: z.array(Tier).describe('In ascending order of `up_to`.'),
};
/** The units of a contract: reported and charged so far. */
const units = {
  units_charged: DecimalOrNull.describe('Units that are charged, after batch size and limits; null in the catalogue.'),
  units_used: DecimalOrNull.describe('Units reported in the running billing period, also before a change in it; null in the catalogue.'),
};

export const StrategyDetails = z
  .discriminatedUnion('pricing_strategy', [
    z.object({ pricing_strategy: z.literal('flat').describe('One price, whatever is used.') }),
    z.object({
      pricing_strategy: z.literal('per_unit').describe('The price of one unit times the units bought.'),
      unit_name: z.string().describe('What is counted, for example `seat` or `call`.'),
      unit_count: DecimalText.describe('Units bought: of the contract, or the default number in the catalogue.'),
      minimum_units: DecimalText.describe('Fewest units that may be bought.'),
      batch_size: z.int().nullable().describe('Units are rounded up to a multiple of this; null: charged one by one.'),
      flat_fee: DecimalOrNull.describe('Added once per charge, on the same line; null for none.'),
      maximum_units: DecimalOrNull.describe('Most units that may be bought; null for no limit.'),
      ...units,
    }),
    z.object({
      pricing_strategy: z
        .literal('usage')
        .describe('The price of one unit times the units reported in the billing period, charged at its end.'),
      unit_name: z.string().describe('What is counted, for example `seat` or `call`.'),
      over_usage_charge_strategy: OverUsage.describe('Which units cost the over-usage price above `maximum_units`.'),
      batch_size: z.int().nullable().describe('Units are rounded up to a multiple of this; null: charged one by one.'),
      flat_fee: DecimalOrNull.describe('Added once per charge, on the same line; null for none.'),
      maximum_units: DecimalOrNull.describe('Units at the usual price; units above it cost `over_usage_price`. Null for no limit.'),
      minimum_units: DecimalOrNull.describe('Units charged at least, also when fewer are used; null for none.'),
      over_usage_price: DecimalOrNull.describe('Price of one unit above `maximum_units`; null: the usual price.'),
      over_usage_unit_charged: DecimalOrNull.describe('Units charged at the over-usage price; null in the catalogue.'),
      ...units,
    }),
    z.object({
      pricing_strategy: z.literal('unit_tiered').describe('Units are bought and priced by tiers.'),
      unit_count: DecimalText.describe('Units bought: of the contract, or the default number in the catalogue.'),
      minimum_units: DecimalText.describe('Fewest units that may be bought.'),
      maximum_units: DecimalOrNull.describe('Most units that may be bought; null for no limit.'),
      batch_size: z.int().nullable().describe('Units are rounded up to a multiple of this; null: charged one by one.'),
      flat_fee: DecimalOrNull.describe('Added once per charge, on the same line; null for none.'),
      ...tiers,
      ...units,
    }),
    z.object({
      pricing_strategy: z
        .literal('usage_tiered')
        .describe('Units are reported and priced by tiers, charged at the end of the billing period.'),
      minimum_units: DecimalOrNull.describe('Units charged at least, also when fewer are used; null for none.'),
      maximum_units: DecimalOrNull.describe('Shown without effect, since the tiers price all units; null for none.'),
      batch_size: z.int().nullable().describe('Units are rounded up to a multiple of this; null: charged one by one.'),
      flat_fee: DecimalOrNull.describe('Added once per charge, on the same line; null for none.'),
      ...tiers,
      ...units,
    }),
  ])
  .meta({ id: 'StrategyDetails', description: 'How a price is computed, one variant for each `pricing_strategy`.' });

export const CataloguePrice = z
  .object({
    amount: DecimalText.describe(
      'Price of one unit, or the whole price when flat, per cycle; at least the currency’s minor digits, more where it needs them ("0.0006").',
    ),
    strategy_details: StrategyDetails.describe('How units count.'),
    free_cycles: z.int().min(0).describe('First cycles in which this price alone is free.'),
    tax_code: z.string().nullable().describe('Selects the tax rates with this `tax_code`; null for none.'),
  })
  .meta({ id: 'Price', description: 'The price of a plan, a feature or a group in the catalogue.' });
