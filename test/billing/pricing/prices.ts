import type {
  PerUnitDetails,
  Price,
  StrategyDetails,
  Tier,
  TierMode,
  UnitTieredDetails,
  UsageDetails,
  UsageTieredDetails,
} from '../../../billing/pricing/price.ts';

export function price(amount: string, strategy: StrategyDetails): Price {
  return { id: 'Price_0199', amount, strategy, freeCycles: 0, taxCode: null };
}

export function flat(amount: string): Price {
  return price(amount, { kind: 'flat' });
}

export function perUnit(amount: string, details: Partial<PerUnitDetails> = {}): Price {
  return price(amount, {
    kind: 'per_unit',
    unitName: 'seat',
    unitCount: '1',
    minimumUnits: '0',
    maximumUnits: null,
    batchSize: null,
    flatFee: null,
    ...details,
  });
}

export function usage(amount: string, details: Partial<UsageDetails> = {}): Price {
  return price(amount, {
    kind: 'usage',
    unitName: 'call',
    overUsageChargeStrategy: 'extra_usage_overcharge',
    overUsagePrice: null,
    minimumUnits: null,
    maximumUnits: null,
    batchSize: null,
    flatFee: null,
    ...details,
  });
}

export function unitTiered(tierMode: TierMode, tiers: Tier[], details: Partial<UnitTieredDetails> = {}): Price {
  return price('0', {
    kind: 'unit_tiered',
    unitName: 'seat',
    unitCount: '1',
    minimumUnits: '0',
    maximumUnits: null,
    batchSize: null,
    flatFee: null,
    tierMode,
    tiers,
    ...details,
  });
}

export function usageTiered(tierMode: TierMode, tiers: Tier[], details: Partial<UsageTieredDetails> = {}): Price {
  return price('0', {
    kind: 'usage_tiered',
    unitName: 'call',
    minimumUnits: null,
    maximumUnits: null,
    batchSize: null,
    flatFee: null,
    tierMode,
    tiers,
    ...details,
  });
}

/** Tiers as [up to, unit price, flat fee]. */
export function tiers(...rows: [string | null, string, string?][]): Tier[] {
  return rows.map(([upTo, unitPrice, flatFee]) => ({ upTo, unitPrice, flatFee: flatFee ?? null }));
}
