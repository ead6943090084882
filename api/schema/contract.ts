import { z } from 'zod';
import {
  ContractId,
  Count,
  Currency,
  CustomerId,
  Cycle,
  DecimalInput,
  DecimalText,
  DiscountId,
  idOf,
  needs,
  PlanId,
  PricingId,
  Slug,
  Timestamp,
  TimestampInput,
} from './common.ts';
import { paginated, pagingQuery } from './paging.ts';
import { ChargeTrigger, DiscountType, Strategy } from './plan.ts';
import { Configuration, DueDatePolicy, InvoiceTrigger, UsagePeriodClosingPolicy } from './preferences.ts';
import { StrategyDetails } from './price.ts';

export const ContractStatus = z.enum(['active', 'pending', 'scheduled', 'canceled', 'moved', 'not_ready']).meta({ id: 'ContractStatus' });

/** A billing period; `end` is null for the single period of once and constant contracts. */
export const Period = z.object({ start: Timestamp, end: Timestamp.nullable() }).meta({ id: 'Period' });

export const BillingInformation = z
  .object({ current_period: Period.nullable(), current_period_idx: z.int().min(1).nullable() })
  .meta({ id: 'BillingInformation' });

export const Estimate = z
  .object({ cycle_start_charges: DecimalText, minimum_usage: DecimalText, extra_cycle_end_charges: DecimalText })
  .meta({ id: 'Estimate' });

export const PriceEstimate = z
  .object({
    recurring_price: Estimate,
    one_time_price: Estimate,
    on_demand_price: Estimate,
    custom_cycle_charges: z.object({
      periodic_daily: Estimate,
      periodic_weekly: Estimate,
      periodic_monthly: Estimate,
      periodic_quarterly: Estimate,
      periodic_yearly: Estimate,
    }),
  })
  .meta({ id: 'PriceEstimate' });

export const ContractSummary = z
  .object({
    id: ContractId,
    plan: z.string(),
    plan_internal_name: z.string(),
    plan_external_name: z.string().nullable(),
    plan_id: PlanId,
    pricing_id: PricingId.nullable(),
    customer: z.string(),
    customer_id: CustomerId,
    status: ContractStatus,
    cycle: Cycle,
    cycle_start_offset: z.int().min(0),
    strategy: Strategy,
    currency: Currency,
    amount: DecimalText.meta({ deprecated: true }),
    billing_information: BillingInformation,
    configuration: Configuration,
    free_cycles: z.int().min(0),
    cost_estimates: PriceEstimate,
    activation: Timestamp.nullable(),
    created: Timestamp.nullable(),
    expiration: Timestamp.nullable(),
    free_trial_end: Timestamp.nullable(),
    next_cycle_start: Timestamp.nullable(),
  })
  .meta({ id: 'ContractSummary' });

export const ContractPrice = z
  .object({
    amount: DecimalText,
    currency: Currency,
    strategy_details: StrategyDetails,
    free_cycles: z.int().min(0),
    tax_code: z.string().nullable(),
    total_charge_estimate: z.object({ subtotal: DecimalText, total: DecimalText }).nullable(),
  })
  .meta({ id: 'ContractPrice' });

const ContractFeature = z.object({
  id: idOf('Feat'),
  name: z.string(),
  slug: z.string(),
  charge_trigger: ChargeTrigger,
  original_feature_id: idOf('Feat').nullable(),
  price: ContractPrice.nullable(),
});

export const ContractPlan = z
  .object({
    id: PlanId,
    slug: z.string(),
    name: z.string(),
    internal_name: z.string(),
    strategy: Strategy,
    features: z.array(ContractFeature),
    free_trial_days: z.int().min(0),
    description: z.string().nullable(),
    external_name: z.string().nullable(),
    original_plan_id: PlanId.nullable(),
    price: ContractPrice.nullable(),
  })
  .meta({ id: 'ContractPlan' });

export const ContractDiscount = z
  .object({
    id: DiscountId,
    contract_id: ContractId,
    name: z.string(),
    slug: z.string(),
    discount_type: DiscountType,
    amount: DecimalText,
    duration: z.int(),
    original_discount_id: DiscountId.nullable(),
  })
  .meta({ id: 'ContractDiscount' });

export const Contract = z
  .object({
    contract_summary: ContractSummary,
    plan: ContractPlan,
    billing_information: BillingInformation,
    discount: ContractDiscount.nullable(),
    catching_up: z
      .boolean()
      .describe('More has become due than a read computes ahead: this is the state as committed, and it moves on by itself.'),
  })
  .meta({ id: 'Contract' });

export const ContractPage = paginated(ContractSummary, 'ContractPage');
export const ContractSearch = z.strictObject({
  customer: CustomerId.optional(),
  plan: PlanId.optional(),
  status: ContractStatus.optional(),
  ...pagingQuery,
});

const unitsBySlug = z.record(z.string(), DecimalInput);

export const SignRequest = z
  .strictObject({
    customer: CustomerId,
    plan: PlanId,
    currency: Currency.nullish().meta({ description: 'needed unless pricing_id is given' }),
    cycle: Cycle.nullish().meta({ description: 'needed unless pricing_id is given' }),
    pricing_id: PricingId.nullish(),
    activation: TimestampInput.nullish(),
    expiration: TimestampInput.nullish(),
    is_pending: z.boolean().nullish(),
    free_trial_days: z.int().min(0).max(36_500).nullish(),
    free_cycles: Count.nullish(),
    cycle_start_offset: z.int().min(0).max(365).nullish(),
    discount_id: DiscountId.nullish(),
    automatic_payment: z.boolean().nullish(),
    invoice_trigger: InvoiceTrigger.nullish(),
    due_date_policy: DueDatePolicy.nullish(),
    usage_period_closing_policy: UsagePeriodClosingPolicy.nullish(),
    unit_count_configuration: unitsBySlug.nullish(),
    feature_configuration: z
      .record(
        z.string(),
        z.strictObject({ price: DecimalInput.nullish(), flat_fee: DecimalInput.nullish(), units: DecimalInput.nullish() }),
      )
      .nullish(),
  })
  .refine((body) => body.pricing_id != null || body.currency != null, needs('currency'))
  .refine((body) => body.pricing_id != null || body.cycle != null, needs('cycle'))
  .meta({ id: 'SignRequest' });

export const ActivateContractRequest = z.strictObject({ activation: TimestampInput.nullish() }).meta({ id: 'ActivateContractRequest' });

export const CancelRequest = z
  .strictObject({
    when: z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('now') }),
      z.strictObject({ type: z.literal('end_of_cycle') }),
      z.strictObject({ type: z.literal('date'), date: TimestampInput }),
    ]),
    credit: z.boolean().nullish(),
    notes: z.string().max(10_000).nullish(),
  })
  .meta({ id: 'CancelRequest' });

export const ChargeRequest = z.strictObject({ feature_slug: Slug, units: DecimalInput.nullish() }).meta({ id: 'ChargeRequest' });

export const Timeline = z
  .object({
    past: z.array(z.object({ at: Timestamp, what: z.string(), object: z.string(), data: z.record(z.string(), z.unknown()) })),
    next: z.array(z.object({ at: Timestamp, what: z.string(), subject: z.string(), detail: z.record(z.string(), z.unknown()) })),
    parked_reason: z.string().nullable(),
  })
  .meta({ id: 'Timeline' });
