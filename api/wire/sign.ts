import type { z } from 'zod';
import { at } from '../../billing/calendar/instant.ts';
import type { Overrides } from '../../billing/contract/terms/terms.ts';
import type { SignContractInput } from '../../services/contract/signing.ts';
import type { SignEstimateRequest } from '../schema/contract.ts';
import { changeRulesFromWire } from './change-rules.ts';
import { configurationFromWire } from './configuration.ts';

type Body = z.output<typeof SignEstimateRequest>;

/** An instant that may be absent. */
export const instantOrNull = (text: string | null | undefined, field: string): number | null => (text == null ? null : at(text, field));

export function signFromWire(body: Body, vendorId: string): SignContractInput {
  return {
    vendorId,
    customerId: body.customer,
    planId: body.plan,
    pricing: { pricingId: body.pricing_id ?? null, currency: body.currency ?? null, cycle: body.cycle ?? null },
    overrides: overridesFromWire(body),
    discountId: body.discount_id ?? null,
    activation: instantOrNull(body.activation, 'activation'),
    isPending: body.is_pending ?? false,
    expiration: instantOrNull(body.expiration, 'expiration'),
    trialDays: body.free_trial_days ?? null,
    freeCycles: body.free_cycles ?? null,
    offset: body.cycle_start_offset ?? null,
    // null is a value here: it turns off what customer and vendor say
    configuration: { ...configurationFromWire(body), ...(body.invoice_threshold === null ? { invoiceThreshold: null } : {}) },
    changeRules: changeRulesFromWire(body.change_rules),
  };
}

/** An entry of `feature_configuration` overrides one of `unit_count_configuration`. */
function overridesFromWire(body: Body): Overrides {
  const overrides: Overrides = {};
  for (const [slug, units] of Object.entries(body.unit_count_configuration ?? {})) {
    overrides[slug] = { units, field: `unit_count_configuration.${slug}` };
  }
  for (const [slug, entry] of Object.entries(body.feature_configuration ?? {})) {
    overrides[slug] = {
      units: entry.units ?? overrides[slug]?.units ?? null,
      price: entry.price ?? null,
      flatFee: entry.flat_fee ?? null,
      field: `feature_configuration.${slug}`,
    };
  }
  return overrides;
}
