import type { z } from 'zod';
import type { Currency } from '../../billing/money/currency.ts';
import { minorDigits } from '../../billing/money/currency.ts';
import type { Price, StrategyDetails, Tier } from '../../billing/pricing/price.ts';
import { newId } from '../../db/id.ts';
import type { PriceRequest, StrategyRequest, StrategyDetails as StrategyWire } from '../schema/price.ts';

type PriceInput = z.output<typeof PriceRequest>;
type StrategyInput = z.output<typeof StrategyRequest>;
type StrategyOutput = z.input<typeof StrategyWire>;

/** The units of a price in a contract; the catalogue has none. */
export interface PriceUnits {
  used: string;
  charged: string | null;
  overCharged: string | null;
}

/** A price with at least its currency's minor digits, and more where it needs them. */
export function priceAmountToWire(amount: string, currency: Currency): string {
  const [whole = '0', fraction = ''] = amount.split('.');
  const significant = fraction.replace(/0+$/, '').padEnd(minorDigits(currency), '0');
  return significant === '' ? whole : `${whole}.${significant}`;
}

const orNull = <T>(value: T | null | undefined): T | null => value ?? null;

export function priceFromWire(price: PriceInput): Price {
  return {
    id: newId('Price'),
    amount: price.amount,
    strategy: strategyFromWire(price.strategy_details),
    freeCycles: price.free_cycles ?? 0,
    taxCode: price.tax_code ?? null,
  };
}

const tiersFromWire = (tiers: Extract<StrategyInput, { tiers: unknown }>['tiers']): Tier[] =>
  tiers.map((tier) => ({ upTo: orNull(tier.up_to), unitPrice: tier.unit_price, flatFee: orNull(tier.flat_fee) }));

function strategyFromWire(details: StrategyInput): StrategyDetails {
  if (details.pricing_strategy === 'flat') return { kind: 'flat' };
  const shared = { batchSize: orNull(details.batch_size), flatFee: orNull(details.flat_fee), maximumUnits: orNull(details.maximum_units) };
  switch (details.pricing_strategy) {
    case 'per_unit':
      return { kind: 'per_unit', unitName: details.unit_name, ...unitsFromWire(details), ...shared };
    case 'unit_tiered':
      return {
        kind: 'unit_tiered',
        unitName: details.unit_name ?? 'unit',
        ...unitsFromWire(details),
        ...shared,
        tierMode: details.tier_mode,
        tiers: tiersFromWire(details.tiers),
      };
    case 'usage':
      return {
        kind: 'usage',
        unitName: details.unit_name,
        overUsageChargeStrategy: details.over_usage_charge_strategy ?? 'extra_usage_overcharge',
        overUsagePrice: orNull(details.over_usage_price),
        minimumUnits: orNull(details.minimum_units),
        ...shared,
      };
    case 'usage_tiered':
      return {
        kind: 'usage_tiered',
        unitName: details.unit_name ?? 'unit',
        minimumUnits: orNull(details.minimum_units),
        ...shared,
        tierMode: details.tier_mode,
        tiers: tiersFromWire(details.tiers),
      };
  }
}

/** The default number of units; without one it is the minimum, or 1. */
function unitsFromWire(details: { unit_count?: string | null | undefined; minimum_units?: string | null | undefined }) {
  const minimumUnits = details.minimum_units ?? '0';
  return { minimumUnits, unitCount: details.unit_count ?? (minimumUnits === '0' ? '1' : minimumUnits) };
}

export function strategyToWire(details: StrategyDetails, currency: Currency, units: PriceUnits | null): StrategyOutput {
  if (details.kind === 'flat') return { pricing_strategy: 'flat' };
  const money = (amount: string | null) => (amount === null ? null : priceAmountToWire(amount, currency));
  const shared = {
    unit_name: details.unitName,
    batch_size: details.batchSize,
    flat_fee: money(details.flatFee),
    maximum_units: details.maximumUnits,
    units_charged: units?.charged ?? null,
    units_used: units?.used ?? null,
  };
  switch (details.kind) {
    case 'per_unit':
      return { pricing_strategy: 'per_unit', unit_count: details.unitCount, minimum_units: details.minimumUnits, ...shared };
    case 'unit_tiered':
      return {
        pricing_strategy: 'unit_tiered',
        unit_count: details.unitCount,
        minimum_units: details.minimumUnits,
        ...shared,
        ...tiersToWire(details, currency),
      };
    case 'usage':
      return {
        pricing_strategy: 'usage',
        over_usage_charge_strategy: details.overUsageChargeStrategy,
        over_usage_price: money(details.overUsagePrice),
        over_usage_unit_charged: units?.overCharged ?? null,
        minimum_units: details.minimumUnits,
        ...shared,
      };
    case 'usage_tiered':
      return { pricing_strategy: 'usage_tiered', minimum_units: details.minimumUnits, ...shared, ...tiersToWire(details, currency) };
  }
}

function tiersToWire({ tierMode, tiers }: Extract<StrategyDetails, { tiers: Tier[] }>, currency: Currency) {
  return {
    tier_mode: tierMode,
    tiers: tiers.map(({ upTo, unitPrice, flatFee }) => ({
      up_to: upTo,
      unit_price: priceAmountToWire(unitPrice, currency),
      flat_fee: priceAmountToWire(flatFee ?? '0', currency),
    })),
  };
}

/** A price of the catalogue. */
export const priceToWire = (price: Price, currency: Currency) => ({
  amount: priceAmountToWire(price.amount, currency),
  strategy_details: strategyToWire(price.strategy, currency, null),
  free_cycles: price.freeCycles,
  tax_code: price.taxCode,
});
