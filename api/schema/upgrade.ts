import { z } from 'zod';
import { Currency, Cycle, DecimalInput, DecimalText, DiscountId, needs, PlanId, PricingId, Timestamp, TimestampInput } from './common.ts';
import { Period } from './contract.ts';
import { Invoice, InvoiceItem } from './invoice.ts';

const Activation = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('immediate') }),
    z.strictObject({ type: z.literal('next_cycle') }),
    z.strictObject({ type: z.literal('date'), date: TimestampInput.optional(), value: TimestampInput.optional() }),
  ])
  .refine((when) => when.type !== 'date' || when.date !== undefined || when.value !== undefined, needs('date'));

const UnitConfiguration = z.strictObject({
  units: DecimalInput.nullish(),
  unit_count: DecimalInput.nullish(),
  price: DecimalInput.nullish(),
  flat_fee: DecimalInput.nullish(),
});

export const UpgradeConfiguration = z
  .strictObject({
    activation: Activation.nullish(),
    plan_id: PlanId.nullish(),
    upgrade_strategy: z.enum(['new_plan', 'change_unit_count']),
    unit_configuration: z.record(z.string(), UnitConfiguration).nullish(),
    unit_count_configuration: z.record(z.string(), DecimalInput).nullish(),
    discount_id: DiscountId.nullish(),
    pricing_id: PricingId.nullish(),
    currency: Currency.nullish(),
    cycle: Cycle.nullish(),
  })
  .refine((change) => change.upgrade_strategy !== 'new_plan' || change.plan_id != null, needs('plan_id'))
  .meta({ id: 'UpgradeConfiguration' });

const fields = { upgrade_configuration: UpgradeConfiguration, downgrade_allowed: z.boolean().nullish() };

export const EstimateRequest = z.strictObject(fields).meta({ id: 'EstimateRequest' });

export const UpgradeRequest = z
  .strictObject({ ...fields, estimate_token: z.string().max(20_000).nullish() })
  .meta({ id: 'UpgradeRequest' });

const Invoices = z.array(z.object({ invoice: Invoice, invoice_items: z.array(InvoiceItem) }));

const Side = z
  .object({
    cost_pro_rated: DecimalText,
    full_cost: DecimalText,
    pro_rate: DecimalText,
    usage: DecimalText,
    cycle: Cycle,
    time_on_contract: z.object({ period: Period, time_used: z.object({ unit: z.string(), unit_count: z.int() }) }),
  })
  .meta({ id: 'UpgradeSide' });

const Hours = z.object({ unit: z.string(), value: z.int() });

export const UpgradeEstimate = z
  .object({
    is_downgrade: z.boolean(),
    price_on_new_contract: Invoices,
    remains_to_pay_current_contract: Invoices,
    pro_rate_new_contract: DecimalText.meta({ deprecated: true }),
    pro_rate_old_contract: DecimalText.meta({ deprecated: true }),
    usage_old_contract: DecimalText.meta({ deprecated: true }),
    upgrade_cost_breakdown: z.object({
      new_contract: Side,
      old_contract: Side,
      new_contract_cost_pro_rated: DecimalText,
      pro_rate_new_contract: DecimalText,
      pro_rate_old_contract: DecimalText,
      total: DecimalText,
      usage_old_contract: DecimalText,
      time_on_new_contract: Hours,
      time_on_old_contract: Hours,
    }),
    new_contract_period: Period,
    estimate_token: z.string(),
    expires: Timestamp,
    activation: Timestamp,
  })
  .meta({ id: 'UpgradeEstimate' });
