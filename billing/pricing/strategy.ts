/**
 * When a feature's price is charged. `month`, `quarter`, `year`: at that rhythm from the anchor, whatever the
 * contract's cycle.
 */
export type ChargeTrigger = 'every_cycle' | 'first_cycle' | 'on_demand' | 'month' | 'quarter' | 'year';

/** All charge triggers. */
export const CHARGE_TRIGGERS: readonly ChargeTrigger[] = ['every_cycle', 'first_cycle', 'on_demand', 'month', 'quarter', 'year'];

/** What has the price of a plan: the plan itself, each feature, or named groups of features. */
export type PlanStrategy = 'plan' | 'feature' | 'group';

/**
 * `extra_usage_overcharge`: only the part above the maximum at the over-usage price; `all_usage_overcharge`:
 * everything, once it is passed.
 */
export type OverUsageStrategy = 'extra_usage_overcharge' | 'all_usage_overcharge';

/**
 * `graduated`: each unit at the price of the tier it falls into; `volume`: all units at the price of the tier the total
 * falls into.
 */
export type TierMode = 'graduated' | 'volume';

/** One tier: units above the previous tier's end up to and including `upTo`; null in the last tier, which is open. */
export interface Tier {
  upTo: string | null;
  unitPrice: string;
  flatFee: string | null;
}

/** A fixed amount. */
export interface FlatDetails {
  kind: 'flat';
}

/** Units bought in advance; `unitCount` is the number bought, on a plan the default. */
export interface PerUnitDetails {
  kind: 'per_unit';
  unitName: string;
  unitCount: string;
  minimumUnits: string;
  maximumUnits: string | null;
  batchSize: number | null;
  flatFee: string | null;
}

/** Units reported during the period; `maximumUnits` are the units at the default price. */
export interface UsageDetails {
  kind: 'usage';
  unitName: string;
  overUsageChargeStrategy: OverUsageStrategy;
  overUsagePrice: string | null;
  minimumUnits: string | null;
  maximumUnits: string | null;
  batchSize: number | null;
  flatFee: string | null;
}

/** Units bought in advance, priced by tiers. */
export interface UnitTieredDetails {
  kind: 'unit_tiered';
  unitName: string;
  unitCount: string;
  minimumUnits: string;
  maximumUnits: string | null;
  batchSize: number | null;
  flatFee: string | null;
  tierMode: TierMode;
  tiers: Tier[];
}

/** Units reported during the period, priced by tiers. */
export interface UsageTieredDetails {
  kind: 'usage_tiered';
  unitName: string;
  minimumUnits: string | null;
  maximumUnits: string | null;
  batchSize: number | null;
  flatFee: string | null;
  tierMode: TierMode;
  tiers: Tier[];
}

/** How a price makes an amount of units. */
export type StrategyDetails = FlatDetails | PerUnitDetails | UsageDetails | UnitTieredDetails | UsageTieredDetails;

/** A price of a plan, feature or group. `amount` is the flat amount or the price of one unit, "0" for tiered prices. */
export interface Price {
  id: string;
  amount: string;
  strategy: StrategyDetails;
  freeCycles: number;
  taxCode: string | null;
}

/** Details of a price that is charged for reported usage. */
export type UsagePricing = UsageDetails | UsageTieredDetails;
/** Details of a price that is charged for bought units. */
export type UnitPricing = PerUnitDetails | UnitTieredDetails;

/** Whether details charge reported usage. */
export function isUsage(details: StrategyDetails): details is UsagePricing {
  return details.kind === 'usage' || details.kind === 'usage_tiered';
}

/** Whether details charge bought units. */
export function isUnits(details: StrategyDetails): details is UnitPricing {
  return details.kind === 'per_unit' || details.kind === 'unit_tiered';
}

/** Whether a price is charged for reported usage, when its period closes. */
export function isUsagePriced(price: Price): boolean {
  return isUsage(price.strategy);
}

/** Whether a price is charged for bought units. */
export function isUnitPriced(price: Price): boolean {
  return isUnits(price.strategy);
}

/**
 * The units a price has bought, "1" for a flat price and "0" for usage.
 *
 * @example boughtUnits(seats('10', '5')) // '5'
 * @example boughtUnits(price('10')) // '1'
 */
export function boughtUnits(price: Price): string {
  const details = price.strategy;
  if (isUnits(details)) return details.unitCount;
  return details.kind === 'flat' ? '1' : '0';
}
