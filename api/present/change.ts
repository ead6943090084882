import type { z } from 'zod';
import { at } from '../../billing/calendar/instant.ts';
import type { Overrides } from '../../billing/contract/terms.ts';
import type { ChangeWish } from '../../db/contract/change.ts';
import type { EstimateRequest, UpgradeConfiguration } from '../schema/upgrade.ts';

type Configuration = z.output<typeof UpgradeConfiguration>;

export function changeFromWire(body: z.output<typeof EstimateRequest>): ChangeWish {
  const wish = body.upgrade_configuration;
  return {
    strategy: wish.upgrade_strategy,
    planId: wish.plan_id ?? null,
    pricing: { pricingId: wish.pricing_id ?? null, currency: wish.currency ?? null, cycle: wish.cycle ?? null },
    overrides: overridesFromWire(wish),
    discountId: wish.discount_id ?? null,
    activation: activationFromWire(wish.activation),
    downgradeAllowed: body.downgrade_allowed ?? false,
  };
}

function activationFromWire(activation: Configuration['activation']): ChangeWish['activation'] {
  if (activation == null) return { type: 'immediate' };
  if (activation.type !== 'date') return { type: activation.type };
  return { type: 'date', date: at(activation.date ?? activation.value ?? '', 'upgrade_configuration.activation.date') };
}

/** The feature's own entry wins over the plain count. */
function overridesFromWire(wish: Configuration): Overrides {
  const overrides: Overrides = {};
  for (const [slug, units] of Object.entries(wish.unit_count_configuration ?? {})) {
    overrides[slug] = { units, field: `upgrade_configuration.unit_count_configuration.${slug}` };
  }
  for (const [slug, entry] of Object.entries(wish.unit_configuration ?? {})) {
    overrides[slug] = {
      units: entry.units ?? entry.unit_count ?? overrides[slug]?.units ?? null,
      price: entry.price ?? null,
      flatFee: entry.flat_fee ?? null,
      field: `upgrade_configuration.unit_configuration.${slug}`,
    };
  }
  return overrides;
}
