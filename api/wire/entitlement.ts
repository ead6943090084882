import type { z } from 'zod';
import { planName } from '../../billing/contract/period/sources.ts';
import type { Contract, TermFeature } from '../../billing/contract/types.ts';
import { ownEntry } from '../../billing/own-entry.ts';
import type { Price } from '../../billing/pricing/price.ts';
import type { AccessNow, EntitledNow } from '../../services/entitlement/read.ts';
import type { AccessEntitlement, EntitlementDetails } from '../schema/entitlement.ts';

type Access = Omit<z.input<typeof AccessEntitlement>, 'others'>;

/** The first contract is the requested one, further ones become `others`. */
export function accessToWire({ status, contracts }: AccessNow): z.input<typeof AccessEntitlement> {
  const [first, ...others] = contracts;
  return { ...accessOf(first ?? null, status), others: others.map((other) => accessOf(other, status)) };
}

function accessOf(entitled: EntitledNow | null, status: AccessNow['status']): Access {
  if (entitled === null) return { contract: null, customer: { status }, plan: null };
  const { contract, used } = entitled;
  const { terms } = contract;
  const isUsable = status !== 'inactive' && contract.status === 'active';
  return {
    contract: stateToWire(contract),
    customer: { status },
    plan: {
      name: planName(terms),
      slug: terms.slug,
      entitlement_details: detailsOf(terms.price, '0'),
      original_plan_id: terms.originalPlanId,
      features: isUsable
        ? terms.features.map((feature) => ({
            name: feature.name,
            slug: feature.slug,
            entitlement_details: featureDetails(feature, ownEntry(used, feature.slug) ?? '0'),
            original_feature_id: feature.originalFeatureId,
          }))
        : [],
    },
  };
}

export const stateToWire = (contract: Contract) => ({ contract_id: contract.id, status: contract.status });

function featureDetails({ price, value }: TermFeature, used: string): z.input<typeof EntitlementDetails> {
  return value === null ? detailsOf(price, used) : { ...detailsOf(price, used), value };
}

/** How much may be used; a feature without a price counts as flat. */
function detailsOf(price: Price | null, used: string): z.input<typeof EntitlementDetails> {
  if (price === null || price.strategy.kind === 'flat') return { pricing_strategy: 'flat' };
  const { strategy } = price;
  const shared = {
    used_unit_count: used,
    unit_name: strategy.unitName,
    minimum_units: strategy.minimumUnits,
    maximum_units: strategy.maximumUnits,
  };
  switch (strategy.kind) {
    case 'per_unit':
    case 'unit_tiered':
      return { pricing_strategy: strategy.kind, contracted_unit_count: strategy.unitCount, ...shared };
    case 'usage':
      return { pricing_strategy: 'usage', over_usage_charge_strategy: strategy.overUsageChargeStrategy, ...shared };
    case 'usage_tiered':
      return { pricing_strategy: 'usage_tiered', ...shared };
  }
}
