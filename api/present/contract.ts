import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import { shownOffset } from '../../billing/calendar/rhythm.ts';
import { planName } from '../../billing/contract/sources.ts';
import { expirationAt, periodBounds, rhythmOf, trialEndOf } from '../../billing/contract/time.ts';
import type { Contract, ContractDiscount } from '../../billing/contract/types.ts';
import type { Estimate, PriceEstimate } from '../../billing/pricing/estimate.ts';
import { costEstimates, figuresOf } from '../../db/contract/figures.ts';
import type {
  BillingInformation,
  ContractSummary,
  ContractDiscount as DiscountWire,
  PriceEstimate as EstimateWire,
} from '../schema/contract.ts';
import { presentConfiguration } from './configuration.ts';

const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

export interface ContractParty {
  name: string;
  pauses: Pause[];
}

/** A contract as lists and customers show it. */
export function presentSummary(contract: Contract, party: ContractParty): z.input<typeof ContractSummary> {
  const { terms } = contract;
  const figures = figuresOf(contract, party.pauses);
  return {
    id: contract.id,
    plan: planName(terms),
    plan_internal_name: terms.internalName,
    plan_external_name: terms.externalName,
    plan_id: terms.originalPlanId,
    pricing_id: terms.pricingId,
    customer: party.name,
    customer_id: contract.customerId,
    status: contract.status,
    cycle: terms.cycle,
    cycle_start_offset: contract.start === null ? (contract.offset ?? 0) : shownOffset(rhythmOf(contract, party.pauses)),
    strategy: terms.strategy,
    currency: terms.currency,
    amount: figures.amount,
    billing_information: presentBilling(contract, party.pauses),
    configuration: presentConfiguration(contract.configuration),
    free_cycles: contract.freeCycles,
    cost_estimates: presentEstimates(costEstimates(contract)),
    activation: isoOrNull(contract.activation),
    created: iso(contract.created),
    expiration: isoOrNull(expirationAt(contract, party.pauses)),
    free_trial_end: isoOrNull(trialEndOf(contract, party.pauses)),
    next_cycle_start: isoOrNull(figures.nextCycleStart),
  };
}

/** The period of now; none before the first one and during the trial. */
export function presentBilling(contract: Contract, pauses: Pause[]): z.input<typeof BillingInformation> {
  if (contract.currentIdx === null || contract.start === null) return { current_period: null, current_period_idx: null };
  const { start, end } = periodBounds(contract, contract.currentIdx, pauses);
  return { current_period: { start: iso(start), end: isoOrNull(end) }, current_period_idx: contract.currentIdx };
}

const presentEstimate = (estimate: Estimate) => ({
  cycle_start_charges: estimate.cycleStartCharges,
  minimum_usage: estimate.minimumUsage,
  extra_cycle_end_charges: estimate.extraCycleEndCharges,
});

export const presentEstimates = (estimates: PriceEstimate): z.input<typeof EstimateWire> => ({
  recurring_price: presentEstimate(estimates.recurringPrice),
  one_time_price: presentEstimate(estimates.oneTimePrice),
  on_demand_price: presentEstimate(estimates.onDemandPrice),
  custom_cycle_charges: {
    periodic_daily: presentEstimate(estimates.customCycleCharges.periodicDaily),
    periodic_weekly: presentEstimate(estimates.customCycleCharges.periodicWeekly),
    periodic_monthly: presentEstimate(estimates.customCycleCharges.periodicMonthly),
    periodic_quarterly: presentEstimate(estimates.customCycleCharges.periodicQuarterly),
    periodic_yearly: presentEstimate(estimates.customCycleCharges.periodicYearly),
  },
});

export const presentContractDiscount = (discount: ContractDiscount, contractId: string): z.input<typeof DiscountWire> => ({
  id: discount.id,
  contract_id: contractId,
  name: discount.name,
  slug: discount.slug,
  discount_type: discount.type,
  amount: discount.amount,
  duration: discount.duration,
  original_discount_id: discount.originalDiscountId,
});
