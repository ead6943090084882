import type { z } from 'zod';
import { at } from '../../billing/calendar/instant.ts';
import type { Overrides } from '../../billing/contract/terms/terms.ts';
import type { ChangeInput } from '../../services/contract/change.ts';
import type { EstimateRequest, UpgradeConfiguration } from '../schema/upgrade.ts';

type Configuration = z.output<typeof UpgradeConfiguration>;

export function changeFromWire(body: z.output<typeof EstimateRequest>): ChangeInput {
  const input = body.upgrade_configuration;
  return {
    strategy: input.upgrade_strategy,
    planId: input.plan_id ?? null,
    pricing: { pricingId: input.pricing_id ?? null, currency: input.currency ?? null, cycle: input.cycle ?? null },
    overrides: overridesFromWire(input),
    discountId: input.discount_id ?? null,
    activation: activationFromWire(input.activation),
    downgradeAllowed: body.downgrade_allowed ?? false,
  };
}

function activationFromWire(activation: Configuration['activation']): ChangeInput['activation'] {
  if (activation == null) return null;
  if (activation.type !== 'date') return { type: activation.type };
  return { type: 'date', date: at(activation.date ?? activation.value ?? '', 'upgrade_configuration.activation.date') };
}

/** An entry of `unit_configuration` overrides one of `unit_count_configuration`. */
function overridesFromWire(input: Configuration): Overrides {
  const overrides: Overrides = {};
  for (const [slug, units] of Object.entries(input.unit_count_configuration ?? {})) {
    overrides[slug] = { units, field: `upgrade_configuration.unit_count_configuration.${slug}` };
  }
  for (const [slug, entry] of Object.entries(input.unit_configuration ?? {})) {
    overrides[slug] = {
      units: entry.units ?? entry.unit_count ?? overrides[slug]?.units ?? null,
      price: entry.price ?? null,
      flatFee: entry.flat_fee ?? null,
      field: `upgrade_configuration.unit_configuration.${slug}`,
    };
  }
  return overrides;
}
