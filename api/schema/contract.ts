import { z } from 'zod';
import { ChangeRules, ChangeRulesFrom, ChangeRulesRequest } from './change-rules.ts';
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
  NoDate,
  needs,
  PlanId,
  PricingId,
  Slug,
  Timestamp,
  TimestampInput,
} from './common.ts';
import { paginated, pagingQuery } from './paging.ts';
import { PauseRules, PauseRulesFrom } from './pause-rules.ts';
import { AwaitingPayment, paymentGate } from './payment-gate.ts';
import { ChargeTrigger, DiscountType, Strategy } from './plan.ts';
import {
  Configuration,
  DueDatePolicy,
  InvoiceThreshold,
  InvoiceTrigger,
  NetDays,
  OnDunningEnd,
  OnTrialEnd,
  UsagePeriodClosingPolicy,
} from './preferences.ts';
import { StrategyDetails } from './price.ts';
import { requireSameUnits } from './units.ts';

export const ContractStatus = z.enum(['active', 'pending', 'scheduled', 'canceled', 'moved', 'not_ready']).meta({
  id: 'ContractStatus',
  description:
    'not_ready: created, nothing else written yet; scheduled: begins in the future; pending: waits to be activated; active: runs; moved: changed into another contract; canceled: ended.',
});

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
    minimum_usage: DecimalText.describe('The least that usage prices amount to: minimum units at their price, and flat fees.'),
    extra_cycle_end_charges: DecimalText.describe(
      'Flat and per-unit prices that are due when a cycle ends, under the `due_date_policy` end_of_period.',
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
      .describe('Prices that are charged monthly, quarterly or yearly whatever the contract’s cycle, each for one charge.'),
  })
  .meta({ id: 'PriceEstimate', description: 'What the contract is expected to cost by kind of charge, in its currency.' });

const awaitingPayment = AwaitingPayment.nullable().describe(
  'What it waits for behind its payment gate; null for a contract that waits for no payment.',
);

export const ContractSummary = z
  .object({
    id: ContractId.describe('Id of the contract; a change creates a new contract and sets this one to `moved`.'),
    plan: z.string().describe('Name of the plan: the external one if there is one, else the internal one.'),
    plan_internal_name: z.string().describe('Name of the plan for your own people, as at signing.'),
    plan_external_name: z.string().nullable().describe('Name of the plan for customers, as at signing; null for none.'),
    plan_id: PlanId.describe('The plan of the catalogue that was signed.'),
    pricing_id: PricingId.nullable().describe('The pricing that was signed; null when it is not known.'),
    customer: z.string().describe('Name of the customer; empty text when it has none.'),
    customer_id: CustomerId.describe('The customer who signed it.'),
    status: ContractStatus.describe('Whether it runs, waits or has ended.'),
    cycle: Cycle.describe('How often it is charged.'),
    cycle_start_offset: z
      .int()
      .min(0)
      .describe('Whole days from the natural start of the week, month, quarter or year to where cycles begin now; a freeze may move it.'),
    strategy: Strategy.describe('Whether plan, features or groups have the price.'),
    currency: Currency.describe('Currency of all amounts of this contract.'),
    amount: DecimalText.meta({
      deprecated: true,
      description: 'Price of a full cycle before discount: the sum of the three parts of `recurring_price`. Use `cost_estimates`.',
    }),
    billing_information: BillingInformation.describe('The running billing period.'),
    configuration: Configuration.describe('How its invoices are made and paid; copied at signing.'),
    free_cycles: z.int().min(0).describe('First cycles in which recurring prices are free; usage is charged.'),
    cost_estimates: PriceEstimate.describe('What it is expected to cost, by kind of charge.'),
    activation: Timestamp.nullable().describe('When it begins or began; null for a pending one without a date.'),
    created: Timestamp.nullable().describe('When it was signed, on the customer’s clock.'),
    expiration: Timestamp.nullable().describe('When it ends automatically, without a credit for the cycle; null for never.'),
    free_trial_end: Timestamp.nullable().describe('When the free trial ends or ended; cycles begin there. Null without a trial.'),
    next_cycle_start: Timestamp.nullable().describe(
      'End of the current cycle, in a trial the end of the trial; null when it is not active or no cycle follows.',
    ),
    awaiting_payment: awaitingPayment,
  })
  .meta({ id: 'ContractSummary', description: 'A contract as shown in lists, without its copy of the plan.' });

export const ContractPrice = z
  .object({
    amount: DecimalText.describe(
      'Price of one unit, or the whole price when flat, per cycle; at least the currency’s minor digits, more where it needs them.',
    ),
    currency: Currency.describe('Always that of the contract.'),
    strategy_details: StrategyDetails.describe('How units count, with the units of this contract.'),
    free_cycles: z.int().min(0).describe('First cycles in which this price alone is free.'),
    tax_code: z.string().nullable().describe('Selects the tax rates with this `tax_code`; null for none.'),
    total_charge_estimate: z
      .object({
        subtotal: DecimalText.describe('Before discount and tax; under `tax_included` the tax is in it.'),
        total: DecimalText.describe('After discount, tax included.'),
      })
      .nullable()
      .describe(
        'One full charge of this price with the units bought, without usage. A flat discount is spread over the recurring prices as on an invoice.',
      ),
  })
  .meta({ id: 'ContractPrice', description: 'A price in the contract’s own copy. Later edits of the catalogue do not change it.' });

const ContractFeature = z.object({
  id: idSchema('Feat').describe('Id of the contract’s own copy of the feature.'),
  name: z.string().describe('Name on invoices and in the portal.'),
  slug: z.string().describe('Name for machines; usage events use it.'),
  charge_trigger: ChargeTrigger.describe('When its price is charged.'),
  original_feature_id: idSchema('Feat').nullable().describe('The feature of the catalogue it was copied from; null when it is not known.'),
  value: z.union([z.string(), z.boolean()]).nullable().describe('What it gives in the place of a price; null for none.'),
  price: ContractPrice.nullable().describe('Its price in this contract; null for a plain entitlement.'),
});

export const ContractPlan = z
  .object({
    id: PlanId.describe('Id of the copy; the catalogue’s plan is `original_plan_id`.'),
    slug: z.string().describe('Name of the plan for machines.'),
    name: z.string().describe('The external name if there is one, else the internal one.'),
    internal_name: z.string().describe('Name for your own people.'),
    strategy: Strategy.describe('Whether plan, features or groups have the price.'),
    features: z.array(ContractFeature).describe('What the plan contains, with prices and units of this contract.'),
    free_trial_days: z.int().min(0).describe('Whole days of 24 hours before the first charge; 0 for no trial.'),
    description: z.string().nullable().describe('Text about the plan for customers; null for none.'),
    external_name: z.string().nullable().describe('Name for customers; null for none.'),
    original_plan_id: PlanId.nullable().describe('The plan of the catalogue it was copied from.'),
    price: ContractPrice.nullable().describe('Price of the plan itself; null where features or groups have the price.'),
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
    duration: z.int().describe('How many billing cycles it lasts in total, counted across changes of the contract.'),
    original_discount_id: DiscountId.nullable().describe('The discount of the catalogue it was copied from; null when it is not known.'),
  })
  .meta({ id: 'ContractDiscount', description: 'The contract’s own copy of a discount.' });

export const Contract = z
  .object({
    contract_summary: ContractSummary.describe('The contract as shown in lists.'),
    plan: ContractPlan.describe('Its own copy of the plan, with units bought and used.'),
    billing_information: BillingInformation.describe('The same as in the summary.'),
    discount: ContractDiscount.nullable().describe('Its discount; null for none. It stays here after its last cycle.'),
    awaiting_payment: awaitingPayment,
    change_rules: ChangeRules.describe('What a change of this contract follows; copied at signing.'),
    change_rules_from: ChangeRulesFrom.describe('Where each of these rules comes from.'),
    pause_rules: PauseRules.describe('What a freeze of its customer means for it; copied at signing.'),
    pause_rules_from: PauseRulesFrom.describe('Where each of these rules comes from.'),
    catching_up: z
      .boolean()
      .describe('Whether more is due than a read can compute: then this is the last stored state, and the rest is written soon.'),
  })
  .meta({ id: 'Contract', description: 'A contract with its own copies of plan and discount.' });

export const ContractPage = paginated(ContractSummary, 'ContractPage');
export const ContractSearch = z.strictObject({
  customer: CustomerId.optional().describe('Only contracts of this customer.'),
  plan: PlanId.optional().describe('Only contracts of this plan of the catalogue.'),
  status: ContractStatus.optional().describe('Only contracts in this state.'),
  ...pagingQuery,
});

const unitsBySlug = bySlug(DecimalInput);

/** What is signed, field by field. */
export const signFields = {
  customer: CustomerId.describe('The customer who signs.'),
  plan: PlanId.describe('The plan of the catalogue to sign.'),
  currency: Currency.nullish().describe('Currency of the pricing; needed unless `pricing_id` is given.'),
  cycle: Cycle.nullish().describe('Cycle of the pricing; needed unless `pricing_id` is given.'),
  pricing_id: PricingId.nullish().describe('The pricing of the plan; absent or null: the one with `currency` and `cycle`.'),
  activation: TimestampInput.nullish().describe(
    'When the contract begins; absent or null: now. A future instant makes it `scheduled`; more than 400 cycles ago is a 400.',
  ),
  expiration: TimestampInput.nullish().describe('When it ends automatically, without a credit; absent or null: never.'),
  is_pending: z.boolean().nullish().describe('Whether it waits for `…/activate` before it begins. Default false.'),
  free_trial_days: z
    .int()
    .min(0)
    .max(36_500)
    .nullish()
    .describe('Whole days of 24 hours before the first charge; absent or null: the plan’s number.'),
  free_cycles: Count.nullish().describe('First cycles in which recurring prices are free; absent or null: the pricing’s number.'),
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
      'Whether the default payment method is charged when an invoice is due; absent or null: the customer’s setting, else the vendor’s.',
    ),
  invoice_trigger: InvoiceTrigger.nullish().describe(
    'When items become invoices; absent or null: the customer’s setting, else the vendor’s.',
  ),
  due_date_policy: DueDatePolicy.nullish().describe(
    'When lines of cycles and changes are due; absent or null: the customer’s setting, else the vendor’s.',
  ),
  net_days: NetDays.nullish().describe(
    'How many days after the date by `due_date_policy` invoices are due, 0 to 120; absent or null: the customer’s setting, else the vendor’s.',
  ),
  usage_period_closing_policy: UsagePeriodClosingPolicy.nullish().describe(
    'When usage is summed and billed; absent or null: the customer’s setting, else the vendor’s.',
  ),
  invoice_threshold: InvoiceThreshold.nullish().describe(
    'Open usage is invoiced each time it comes to this amount, in the contract’s currency; null turns it off for this contract; absent: the customer’s setting, else the vendor’s.',
  ),
  on_trial_end: OnTrialEnd.nullish().describe(
    'What the end of the free trial does without a payment method; absent or null: the customer’s setting, else the vendor’s.',
  ),
  on_dunning_end: OnDunningEnd.nullish().describe(
    'What happens when an invoice is still unpaid on the day of its last retry; absent or null: the customer’s setting, else the vendor’s.',
  ),
  change_rules: ChangeRulesRequest.nullish().describe(
    'Rules for changes of this contract alone, which go along with its changes; absent or null: the plan’s, else the vendor’s.',
  ),
  payment_gate: paymentGate,
  unit_count_configuration: unitsBySlug.nullish().describe('Units bought by feature slug; absent features get the plan’s default number.'),
  feature_configuration: bySlug(
    z.strictObject({
      price: DecimalInput.nullish().describe('Price of one unit that replaces the catalogue’s; absent or null: the catalogue’s price.'),
      flat_fee: DecimalInput.nullish().describe('Fee that replaces the catalogue’s; absent or null: the catalogue’s fee.'),
      units: DecimalInput.nullish().describe('Units bought; where they stand in `unit_count_configuration` too they must be the same.'),
    }),
  )
    .nullish()
    .describe('Prices, fees and units of this contract alone, by feature slug.'),
};

interface PricingNames {
  pricing_id?: string | null | undefined;
  currency?: string | null | undefined;
  cycle?: string | null | undefined;
}

export const namesCurrency = (body: PricingNames): boolean => body.pricing_id != null || body.currency != null;
export const namesCycle = (body: PricingNames): boolean => body.pricing_id != null || body.cycle != null;

type UnitsSigned = { [Name in 'unit_count_configuration' | 'feature_configuration']?: z.output<(typeof signFields)[Name]> };

export const signsSameUnits = (body: UnitsSigned, context: z.RefinementCtx): void =>
  requireSameUnits(body.unit_count_configuration, body.feature_configuration, 'feature_configuration', context);

export const SignEstimateRequest = z
  .strictObject(signFields)
  .refine(namesCurrency, needs('currency'))
  .refine(namesCycle, needs('cycle'))
  .superRefine(signsSameUnits)
  .meta({ id: 'SignEstimateRequest', description: 'A contract whose signing is to be estimated; nothing is written.' });

export const SignRequest = z
  .strictObject({
    ...signFields,
    estimate_token: z
      .string()
      .max(20_000)
      .nullish()
      .describe(
        'Token of an estimate of this same signing: the contract is signed as of the estimate’s instant, or refused with 409 `estimate_outdated`. Absent or null: the instant is now.',
      ),
  })
  .refine(namesCurrency, needs('currency'))
  .refine(namesCycle, needs('cycle'))
  .superRefine(signsSameUnits)
  .meta({
    id: 'SignRequest',
    description:
      'What is signed: a customer, a plan and one of its pricings, by `pricing_id` or by currency and cycle. Absent settings are the customer’s, else the vendor’s.',
  });

export const ActivateContractRequest = z
  .strictObject({
    activation: TimestampInput.nullish().describe('When it begins; absent or null: now. A future instant makes the contract `scheduled`.'),
  })
  .meta({ id: 'ActivateContractRequest', description: 'When a pending contract begins.' });

export const CancelRequest = z
  .strictObject({
    when: z
      .discriminatedUnion('type', [
        z.strictObject({ type: z.literal('now').describe('It ends at once.'), date: NoDate }),
        z.strictObject({
          type: z.literal('end_of_cycle').describe('It ends with the current cycle; a 400 for the cycles `once` and `constant`.'),
          date: NoDate,
        }),
        z.strictObject({
          type: z.literal('date').describe('It ends at the instant in `date`.'),
          date: TimestampInput.describe('When it ends; an instant in the past is a 400.'),
        }),
      ])
      .describe('Now, at the end of the cycle, or on a date. A later call replaces an earlier cancellation.'),
    credit: z.boolean().nullish().describe('Whether the charge for unused time goes to the wallet. Default false.'),
    notes: z.string().max(10_000).nullish().describe('The reason, for your own records; null or absent for none.'),
  })
  .meta({ id: 'CancelRequest', description: 'When and how a contract ends.' });

export const ChargeRequest = z
  .strictObject({
    feature_slug: Slug.describe('A feature of the contract with the charge trigger `on_demand`.'),
    units: DecimalInput.nullish().describe(
      'How many units are charged; absent or null: the contract’s number. It must be 1 unless the price is per unit.',
    ),
  })
  .meta({ id: 'ChargeRequest', description: 'Which on-demand feature is charged.' });
