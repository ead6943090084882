import { z } from 'zod';
import {
  bySlug,
  ContractId,
  Count,
  Currency,
  CustomerId,
  Cycle,
  DecimalInput,
  DecimalText,
  DiscountId,
  idSchema,
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

export const ContractStatus = z.enum(['active', 'pending', 'scheduled', 'canceled', 'moved', 'not_ready']).meta({
  id: 'ContractStatus',
  description:
    'not_ready: made, its first step not yet written; scheduled: begins in the future; pending: waits to be activated; active: runs; moved: changed into another contract; canceled: ended for good.',
});

/** A billing period; `end` is null for the single period of once and constant contracts. */
export const Period = z
  .object({
    start: Timestamp.describe('First instant of the period.'),
    end: Timestamp.nullable().describe(
      'First instant that is no longer in it; null for the single period of `once` and `constant` contracts.',
    ),
  })
  .meta({ id: 'Period', description: 'A billing period, half-open: `start` belongs to it, `end` to the next one.' });

export const BillingInformation = z
  .object({
    current_period: Period.nullable().describe('The running period; null before the first one and during a free trial.'),
    current_period_idx: z.int().min(1).nullable().describe('Its number, from 1 for each contract; null while there is none.'),
  })
  .meta({ id: 'BillingInformation', description: 'Where the contract stands in its billing periods.' });

export const Estimate = z
  .object({
    cycle_start_charges: DecimalText.describe('Flat and per-unit prices that are due when a cycle starts, flat fees included.'),
    minimum_usage: DecimalText.describe('Least that usage prices come to: minimum units at their price, and flat fees.'),
    extra_cycle_end_charges: DecimalText.describe(
      'Flat and per-unit prices that are due when a cycle ends, as `due_date_policy` end_of_period has it.',
    ),
  })
  .meta({
    id: 'Estimate',
    description: 'What a full cycle is expected to cost, before discount, free cycles and usage above the minimum.',
  });

export const PriceEstimate = z
  .object({
    recurring_price: Estimate.describe('All prices charged every cycle, for one full cycle.'),
    one_time_price: Estimate.describe('Prices charged once: of `first_cycle` features, and everything of a `once` or `constant` contract.'),
    on_demand_price: Estimate.describe('One charge of each on-demand feature.'),
    custom_cycle_charges: z
      .object({
        periodic_daily: Estimate.describe('Daily prices; always zero, since no charge trigger is daily.'),
        periodic_weekly: Estimate.describe('Weekly prices; always zero, since no charge trigger is weekly.'),
        periodic_monthly: Estimate.describe('Prices with the charge trigger `month`.'),
        periodic_quarterly: Estimate.describe('Prices with the charge trigger `quarter`.'),
        periodic_yearly: Estimate.describe('Prices with the charge trigger `year`.'),
      })
      .describe('Prices with a rhythm of their own, each for one of its occasions.'),
  })
  .meta({ id: 'PriceEstimate', description: 'What the contract is expected to cost by kind of charge, in its currency.' });

export const ContractSummary = z
  .object({
    id: ContractId.describe('The contract itself; a change makes a new one and leaves this one `moved`.'),
    plan: z.string().describe('Name of the plan: the external one if there is one, else the internal one.'),
    plan_internal_name: z.string().describe('Name of the plan for your own people, as at signing.'),
    plan_external_name: z.string().nullable().describe('Name of the plan for customers, as at signing; null for none.'),
    plan_id: PlanId.describe('The plan of the catalogue that was signed.'),
    pricing_id: PricingId.nullable().describe('The pricing that was signed; null when it is not known.'),
    customer: z.string().describe('Name of the customer; empty text when it has none.'),
    customer_id: CustomerId.describe('Whose contract it is.'),
    status: ContractStatus.describe('Whether it runs, waits or has ended.'),
    cycle: Cycle.describe('How often it is charged.'),
    cycle_start_offset: z
      .int()
      .min(0)
      .describe('Whole days from the natural start of the week, month, quarter or year to where cycles begin now; a freeze may move it.'),
    strategy: Strategy.describe('What carries the price.'),
    currency: Currency.describe('Currency of all amounts of this contract.'),
    amount: DecimalText.meta({
      deprecated: true,
      description: 'Price of a full cycle before discount, the three parts of `recurring_price` together. Use `cost_estimates`.',
    }),
    billing_information: BillingInformation.describe('The running billing period.'),
    configuration: Configuration.describe('How its invoices are made and paid, copied at signing.'),
    free_cycles: z.int().min(0).describe('First cycles in which recurring prices are free; usage is charged.'),
    cost_estimates: PriceEstimate.describe('What it is expected to cost, by kind of charge.'),
    activation: Timestamp.nullable().describe('When it begins or began; null for a pending one without a date.'),
    created: Timestamp.nullable().describe('When it was signed, on the customer’s clock.'),
    expiration: Timestamp.nullable().describe('When it ends by itself, without a credit for the cycle; null for never.'),
    free_trial_end: Timestamp.nullable().describe('When the free trial ends or ended, which is where cycles begin; null without a trial.'),
    next_cycle_start: Timestamp.nullable().describe(
      'End of the current cycle, in a trial the end of the trial; null when it is not active or no cycle follows.',
    ),
  })
  .meta({ id: 'ContractSummary', description: 'A contract as lists show it, without its copy of the plan.' });

export const ContractPrice = z
  .object({
    amount: DecimalText.describe(
      'Price of one unit, or the whole price when flat, per cycle; at least the currency’s minor digits, more where it needs them.',
    ),
    currency: Currency.describe('Always that of the contract.'),
    strategy_details: StrategyDetails.describe('How units count, with the units of this contract.'),
    free_cycles: z.int().min(0).describe('First cycles in which this price alone is free.'),
    tax_code: z.string().nullable().describe('Picks the tax rate by its `tax_code`; null for none.'),
    total_charge_estimate: z
      .object({
        subtotal: DecimalText.describe('Before discount and tax; under `tax_included` the tax is in it.'),
        total: DecimalText.describe('After discount, tax included.'),
      })
      .nullable()
      .describe('One full charge of this price with the units bought, without usage; null when it cannot be told.'),
  })
  .meta({ id: 'ContractPrice', description: 'A price as the contract keeps it. Later edits of the catalogue do not touch it.' });

const ContractFeature = z.object({
  id: idSchema('Feat').describe('Id of the contract’s own copy of the feature.'),
  name: z.string().describe('Name on invoices and in the portal.'),
  slug: z.string().describe('Name for machines, as usage reports use it.'),
  charge_trigger: ChargeTrigger.describe('When its price is charged.'),
  original_feature_id: idSchema('Feat').nullable().describe('The feature of the catalogue it was copied from; null when it is not known.'),
  price: ContractPrice.nullable().describe('Its price in this contract; null for a plain entitlement.'),
});

export const ContractPlan = z
  .object({
    id: PlanId.describe('Id of the copy; the catalogue’s plan is `original_plan_id`.'),
    slug: z.string().describe('Name of the plan for machines.'),
    name: z.string().describe('The external name if there is one, else the internal one.'),
    internal_name: z.string().describe('Name for your own people.'),
    strategy: Strategy.describe('What carries the price.'),
    features: z.array(ContractFeature).describe('What the plan contains, with prices and units of this contract.'),
    free_trial_days: z.int().min(0).describe('Whole days of 24 hours before the first charge; 0 for no trial.'),
    description: z.string().nullable().describe('What customers are told about the plan; null for nothing.'),
    external_name: z.string().nullable().describe('Name for customers; null for none.'),
    original_plan_id: PlanId.nullable().describe('The plan of the catalogue it was copied from.'),
    price: ContractPrice.nullable().describe('Price of the plan itself; null where features or groups carry the price.'),
  })
  .meta({ id: 'ContractPlan', description: 'The contract’s own copy of the plan, as it was when signed or last changed by `new_plan`.' });

export const ContractDiscount = z
  .object({
    id: DiscountId.describe('Id of the copy; the catalogue’s discount is `original_discount_id`.'),
    contract_id: ContractId.describe('The contract this copy was made for.'),
    name: z.string().describe('Name on invoices.'),
    slug: z.string().describe('Name for machines.'),
    discount_type: DiscountType.describe('Whether `amount` is a percentage or money.'),
    amount: DecimalText.describe('Percent ("10" is 10 %), or money off each cycle ("5.00").'),
    duration: z.int().describe('How many billing cycles it lasts in all, counted along the chain of changes.'),
    original_discount_id: DiscountId.nullable().describe('The discount of the catalogue it was copied from; null when it is not known.'),
  })
  .meta({ id: 'ContractDiscount', description: 'The contract’s own copy of a discount.' });

export const Contract = z
  .object({
    contract_summary: ContractSummary.describe('The contract as lists show it.'),
    plan: ContractPlan.describe('Its own copy of the plan, with units bought and used.'),
    billing_information: BillingInformation.describe('The same as in the summary.'),
    discount: ContractDiscount.nullable().describe('The discount it was given; null for none. It stays here when its cycles are over.'),
    catching_up: z
      .boolean()
      .describe('More has become due than a read computes ahead: this is the state as committed, and it moves on by itself.'),
  })
  .meta({ id: 'Contract', description: 'A contract with everything it keeps.' });

export const ContractPage = paginated(ContractSummary, 'ContractPage');
export const ContractSearch = z.strictObject({
  customer: CustomerId.optional().describe('Only contracts of this customer.'),
  plan: PlanId.optional().describe('Only contracts of this plan of the catalogue.'),
  status: ContractStatus.optional().describe('Only contracts in this state.'),
  ...pagingQuery,
});

const unitsBySlug = bySlug(DecimalInput);

export const SignRequest = z
  .strictObject({
    customer: CustomerId.describe('Who signs.'),
    plan: PlanId.describe('The plan of the catalogue that is sold.'),
    currency: Currency.nullish().describe('Currency of the pricing; needed unless `pricing_id` is given.'),
    cycle: Cycle.nullish().describe('Cycle of the pricing; needed unless `pricing_id` is given.'),
    pricing_id: PricingId.nullish().describe('The pricing of the plan; absent or null: the one of `currency` and `cycle`.'),
    activation: TimestampInput.nullish().describe(
      'When the contract begins; absent or null: now. In the future it is `scheduled`; more than 400 cycles back is a 400.',
    ),
    expiration: TimestampInput.nullish().describe('When it ends by itself, without a credit; absent or null: never.'),
    is_pending: z.boolean().nullish().describe('Whether it waits for `…/activate` before it begins. Default false.'),
    free_trial_days: z
      .int()
      .min(0)
      .max(36_500)
      .nullish()
      .describe('Whole days of 24 hours before the first charge; absent or null: as the plan says.'),
    free_cycles: Count.nullish().describe('First cycles in which recurring prices are free; absent or null: as the pricing says.'),
    cycle_start_offset: z
      .int()
      .min(0)
      .max(365)
      .nullish()
      .describe(
        'Days from the natural start (Monday, 1st of the month, quarter or year, 00:00Z) at which cycles begin; 0 aligns, absent or null counts from the activation. At most 6, 30, 91 or 365.',
      ),
    discount_id: DiscountId.nullish().describe('A discount of the catalogue to copy into the contract; absent or null for none.'),
    automatic_payment: z
      .boolean()
      .nullish()
      .describe(
        'Whether the default payment method is charged when an invoice is due; absent or null: as the customer, else the vendor has it.',
      ),
    invoice_trigger: InvoiceTrigger.nullish().describe(
      'When items become invoices; absent or null: as the customer, else the vendor has it.',
    ),
    due_date_policy: DueDatePolicy.nullish().describe(
      'When cycle and change lines are due; absent or null: as the customer, else the vendor has it.',
    ),
    usage_period_closing_policy: UsagePeriodClosingPolicy.nullish().describe(
      'When usage is summed and billed; absent or null: as the customer, else the vendor has it.',
    ),
    unit_count_configuration: unitsBySlug
      .nullish()
      .describe('Units bought by feature slug; features left out get the plan’s default number.'),
    feature_configuration: bySlug(
      z.strictObject({
        price: DecimalInput.nullish().describe('Price of one unit in place of the catalogue’s; absent or null keeps that.'),
        flat_fee: DecimalInput.nullish().describe('Fee in place of the catalogue’s; absent or null keeps that.'),
        units: DecimalInput.nullish().describe('Units bought; it wins over `unit_count_configuration`.'),
      }),
    )
      .nullish()
      .describe('Prices, fees and units agreed for this contract alone, by feature slug.'),
  })
  .refine((body) => body.pricing_id != null || body.currency != null, needs('currency'))
  .refine((body) => body.pricing_id != null || body.cycle != null, needs('cycle'))
  .meta({
    id: 'SignRequest',
    description:
      'What is signed: a customer, a plan and one of its pricings, by `pricing_id` or by currency and cycle. Settings left out fall back to the customer’s, then the vendor’s.',
  });

export const ActivateContractRequest = z
  .strictObject({
    activation: TimestampInput.nullish().describe('When it begins; absent or null: now. In the future the contract becomes `scheduled`.'),
  })
  .meta({ id: 'ActivateContractRequest', description: 'When a pending contract begins.' });

export const CancelRequest = z
  .strictObject({
    when: z
      .discriminatedUnion('type', [
        z.strictObject({ type: z.literal('now').describe('It ends at once.') }),
        z.strictObject({ type: z.literal('end_of_cycle').describe('It ends with the current cycle; a 400 for `once` and `constant`.') }),
        z.strictObject({
          type: z.literal('date').describe('It ends at the instant in `date`.'),
          date: TimestampInput.describe('When it ends; in the past is a 400.'),
        }),
      ])
      .describe('Now, at the end of the cycle, or on a date. A later call replaces an earlier cancellation.'),
    credit: z.boolean().nullish().describe('Whether what was charged for unused time goes to the wallet. Default false.'),
    notes: z.string().max(10_000).nullish().describe('The reason, for your own records; null or absent for none.'),
  })
  .meta({ id: 'CancelRequest', description: 'When and how a contract ends.' });

export const ChargeRequest = z
  .strictObject({
    feature_slug: Slug.describe('A feature of the contract with the charge trigger `on_demand`.'),
    units: DecimalInput.nullish().describe(
      'How many units are charged; absent or null: the contract’s number. Only 1 where the price is not per unit.',
    ),
  })
  .meta({ id: 'ChargeRequest', description: 'Which on-demand feature is charged.' });

export const Timeline = z
  .object({
    past: z
      .array(
        z.object({
          at: Timestamp.describe('When it happened, on the customer’s clock.'),
          what: z.string().describe('What happened: an event’s type, or a word such as `period_began` or `invoice_made`.'),
          object: z.string().describe('Id of what it happened to: this contract or an invoice.'),
          data: z
            .record(z.string(), z.unknown())
            .describe('What belongs to it, by kind, for example `idx` of a period or `number` and `total` of an invoice.'),
        }),
      )
      .describe('What happened to it, its periods, invoices and their payments, oldest first.'),
    next: z
      .array(
        z.object({
          at: Timestamp.describe('When it is due, on the customer’s clock.'),
          what: z.string().describe('What is due, for example `boundary`, `usage_closing` or `payment_retry`.'),
          subject: z.string().describe('What it is due for: an id, followed by the number of the period where it is about one.'),
          detail: z.record(z.string(), z.unknown()).describe('What belongs to it, by kind.'),
        }),
      )
      .describe('What is due by itself, soonest first.'),
    parked_reason: z.string().nullable().describe('Why the contract cannot go on by itself; `…/resume` lets it. Null while all is well.'),
  })
  .meta({ id: 'Timeline', description: 'A contract’s past and future, each in order of time.' });
