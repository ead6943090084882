import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import type { Period } from '../../billing/calendar/rhythm.ts';
import { amountOf, type ContractTimes, costEstimates, timesOf } from '../../billing/contract/charge/views.ts';
import { planName } from '../../billing/contract/period/sources.ts';
import type { Contract, ContractDiscount } from '../../billing/contract/types.ts';
import type { Estimate, PriceEstimate } from '../../billing/pricing/estimate.ts';
import type {
  BillingInformation,
  ContractSummary,
  ContractDiscount as DiscountWire,
  PriceEstimate as EstimateWire,
} from '../schema/contract.ts';
import { configurationToWire } from './configuration.ts';
import { discountAmountToWire } from './discount.ts';
import { awaitingPaymentOf } from './payment-gate.ts';

const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

interface ContractParty {
  name: string;
  pauses: Pause[];
}

/** A contract as shown in lists and customers. */
export function summaryToWire(contract: Contract, party: ContractParty): z.input<typeof ContractSummary> {
  const { terms } = contract;
  const times = timesOf(contract, party.pauses);
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
    cycle_start_offset: times.cycleStartOffset,
    strategy: terms.strategy,
    currency: terms.currency,
    amount: amountOf(contract),
    billing_information: timesToWire(times),
    configuration: configurationToWire(contract.configuration),
    free_cycles: contract.freeCycles,
    cost_estimates: estimatesToWire(costEstimates(contract)),
    activation: isoOrNull(times.activation),
    created: iso(contract.created),
    expiration: isoOrNull(times.expiration),
    free_trial_end: isoOrNull(times.freeTrialEnd),
    next_cycle_start: isoOrNull(times.nextCycleStart),
    awaiting_payment: awaitingPaymentOf(contract),
  };
}

/** The current period; null before the first one and during a trial. */
export const billingToWire = (contract: Contract, pauses: Pause[]): z.input<typeof BillingInformation> =>
  timesToWire(timesOf(contract, pauses));

function timesToWire({ currentPeriod, currentPeriodIdx }: ContractTimes): z.input<typeof BillingInformation> {
  if (currentPeriod === null) return { current_period: null, current_period_idx: null };
  return { current_period: periodToWire(currentPeriod), current_period_idx: currentPeriodIdx };
}

export const periodToWire = ({ start, end }: Period) => ({ start: iso(start), end: isoOrNull(end) });

const estimateToWire = (estimate: Estimate) => ({
  cycle_start_charges: estimate.cycleStartCharges,
  minimum_usage: estimate.minimumUsage,
  extra_cycle_end_charges: estimate.extraCycleEndCharges,
});

/** What all prices of every cycle come to, for one full cycle. */
export const recurringPriceToWire = (contract: Contract) => estimateToWire(costEstimates(contract).recurringPrice);

const estimatesToWire = (estimates: PriceEstimate): z.input<typeof EstimateWire> => ({
  recurring_price: estimateToWire(estimates.recurringPrice),
  one_time_price: estimateToWire(estimates.oneTimePrice),
  on_demand_price: estimateToWire(estimates.onDemandPrice),
  custom_cycle_charges: {
    periodic_daily: estimateToWire(estimates.customCycleCharges.periodicDaily),
    periodic_weekly: estimateToWire(estimates.customCycleCharges.periodicWeekly),
    periodic_monthly: estimateToWire(estimates.customCycleCharges.periodicMonthly),
    periodic_quarterly: estimateToWire(estimates.customCycleCharges.periodicQuarterly),
    periodic_yearly: estimateToWire(estimates.customCycleCharges.periodicYearly),
  },
});

export const contractDiscountToWire = (
  discount: ContractDiscount,
  contract: Pick<Contract, 'id' | 'terms'>,
): z.input<typeof DiscountWire> => ({
  id: discount.id,
  contract_id: contract.id,
  name: discount.name,
  slug: discount.slug,
  discount_type: discount.type,
  amount: discountAmountToWire(discount, contract.terms.currency),
  duration: discount.duration,
  original_discount_id: discount.originalDiscountId,
});
