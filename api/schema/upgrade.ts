import { z } from 'zod';
import { FollowedRule } from './change-rules.ts';
import {
  bySlug,
  Currency,
  Cycle,
  DecimalInput,
  DecimalText,
  DiscountId,
  NoDate,
  needs,
  PlanId,
  PricingId,
  Timestamp,
  TimestampInput,
} from './common.ts';
import { Period } from './contract.ts';
import { Invoice, InvoiceItem } from './invoice.ts';
import { AwaitingPayment, paymentGate } from './payment-gate.ts';
import { CreditsMoved } from './plan-credits.ts';
import { requireSameUnits } from './units.ts';

const noDate = { date: NoDate, value: NoDate };

const Activation = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z
        .literal('immediate')
        .describe('The change takes effect now; a downgrade still waits for the end of the cycle unless its rule says `now`.'),
      ...noDate,
    }),
    z.strictObject({ type: z.literal('next_cycle').describe('The change takes effect when the next cycle starts.'), ...noDate }),
    z.strictObject({
      type: z.literal('date').describe('The change takes effect at the instant in `date`.'),
      date: TimestampInput.nullish().describe(
        'When it takes effect; an instant in the past is a 400. A downgrade inside a cycle waits for the cycle’s end.',
      ),
      value: TimestampInput.nullish().describe('Another name for `date`; where both are given they must be the same instant.'),
    }),
  ])
  .refine((when) => when.type !== 'date' || when.date != null || when.value != null, needs('date'))
  .refine(({ date, value }) => date == null || value == null || Date.parse(date) === Date.parse(value), {
    path: ['value'],
    message: 'must be the same as date: give one of them',
  });

const UnitConfiguration = z.strictObject({
  units: DecimalInput.nullish().describe('Units bought from the change on.'),
  unit_count: DecimalInput.nullish().describe('Another name for `units`; where both are given they must be the same.'),
  price: DecimalInput.nullish().describe('Price of one unit for this contract alone; absent or null: the plan’s price.'),
  flat_fee: DecimalInput.nullish().describe('Fee for this contract alone; absent or null: the plan’s fee.'),
});

export const UpgradeConfiguration = z
  .strictObject({
    activation: Activation.nullish().describe('When it takes effect; absent or null: when the rule of its direction says.'),
    plan_id: PlanId.nullish().describe('The new plan of the catalogue; required for `new_plan`, the current plan is allowed.'),
    upgrade_strategy: z
      .enum(['new_plan', 'change_unit_count'])
      .describe(
        'new_plan uses the current prices of the catalogue; change_unit_count keeps the contract’s plan and prices and changes only units.',
      ),
    unit_configuration: bySlug(UnitConfiguration)
      .nullish()
      .describe('Units and agreed prices by feature slug; units that stand in `unit_count_configuration` too must be the same.'),
    unit_count_configuration: bySlug(DecimalInput)
      .nullish()
      .describe('Units bought by feature slug; with `new_plan` absent features keep their units within the new limits.'),
    discount_id: DiscountId.nullish().describe(
      'Replaces the discount and starts at its first cycle; absent or null: the current one goes on.',
    ),
    pricing_id: PricingId.nullish().describe('The pricing of the new plan; absent or null: the one with `currency` and `cycle`.'),
    currency: Currency.nullish().describe('The new currency, only possible at the end of the cycle; absent or null: no change.'),
    cycle: Cycle.nullish().describe('The new cycle, which starts a new period at the change; absent or null: no change.'),
  })
  .refine((change) => change.upgrade_strategy !== 'new_plan' || change.plan_id != null, needs('plan_id'))
  .superRefine(({ unit_count_configuration: counts, unit_configuration: entries }, context) =>
    requireSameUnits(counts, entries, 'unit_configuration', context),
  )
  .meta({ id: 'UpgradeConfiguration', description: 'A change: the new plan, pricing or units, and when it takes effect.' });

const fields = {
  upgrade_configuration: UpgradeConfiguration.describe('What is to change and when.'),
  payment_gate: paymentGate,
  downgrade_allowed: z
    .boolean()
    .nullish()
    .describe(
      'Whether a downgrade may take effect inside the cycle; its surplus goes to the wallet. Default false: it waits for the cycle’s end, unless its rule says `now`.',
    ),
};

export const EstimateRequest = z
  .strictObject(fields)
  .meta({ id: 'EstimateRequest', description: 'A change to be estimated; nothing is written.' });

export const UpgradeRequest = z
  .strictObject({
    ...fields,
    estimate_token: z
      .string()
      .max(20_000)
      .nullish()
      .describe(
        'Token of an estimate of this same change: the upgrade uses the estimate’s instant, or is refused with 409 `estimate_outdated`. Absent or null: the instant is now.',
      ),
  })
  .meta({ id: 'UpgradeRequest', description: 'A change to be carried out.' });

const Invoices = z.array(
  z.object({
    invoice: Invoice.describe('The invoice as it would be made, without a number yet.'),
    invoice_items: z.array(InvoiceItem).describe('Its lines; credits have negative amounts.'),
  }),
);

const Side = z
  .object({
    cost_pro_rated: DecimalText.describe('`full_cost` times `pro_rate`, rounded once.'),
    full_cost: DecimalText.describe('Recurring price of a whole period, without minimum usage.'),
    pro_rate: DecimalText.describe('Share of the period spent on this contract, from 0 to 1, to 12 places.'),
    usage: DecimalText.describe('Usage owed at the change; "0.00" on the new contract.'),
    cycle: Cycle.describe('How often this contract is charged.'),
    time_on_contract: z
      .object({
        period: Period.describe('Start and end of that part.'),
        time_used: z
          .object({ unit: z.string().describe('Always `hour`.'), unit_count: z.int().describe('Whole hours, rounded down.') })
          .describe('Length of that part without frozen time.'),
      })
      .describe('The part of the period on this contract.'),
  })
  .meta({ id: 'UpgradeSide', description: 'One contract’s share of the period that contains the change.' });

const Hours = z.object({ unit: z.string().describe('Always `hour`.'), value: z.int().describe('Whole hours, rounded down.') });

export const UpgradeEstimate = z
  .object({
    is_downgrade: z
      .boolean()
      .describe(
        'True when the new contract’s yearly price is strictly lower; then it takes effect at the end of the cycle, unless its rule says `now` or `downgrade_allowed` is given.',
      ),
    price_on_new_contract: Invoices.describe(
      'Invoices of the new contract’s first billing period: the credit for unused time, and the rest of the period at the new price.',
    ),
    remains_to_pay_current_contract: Invoices.describe(
      'What is still owed for the current contract: usage so far and items not invoiced yet. Of usage periods that only a call closes, the latest with 1,000 lines at most.',
    ),
    pro_rate_new_contract: DecimalText.meta({
      deprecated: true,
      description: 'Share of the period on the new contract. Use `upgrade_cost_breakdown`.',
    }),
    pro_rate_old_contract: DecimalText.meta({
      deprecated: true,
      description: 'Share of the period on the current contract. Use `upgrade_cost_breakdown`.',
    }),
    usage_old_contract: DecimalText.meta({ deprecated: true, description: 'Usage owed at the change. Use `upgrade_cost_breakdown`.' }),
    upgrade_cost_breakdown: z
      .object({
        new_contract: Side.describe('The contract after the change.'),
        old_contract: Side.describe('The contract before the change.'),
        new_contract_cost_pro_rated: DecimalText.describe('The new contract’s price for its share of the period.'),
        pro_rate_new_contract: DecimalText.describe('Share of the period on the new contract, from 0 to 1.'),
        pro_rate_old_contract: DecimalText.describe('Share of the period on the current contract, from 0 to 1.'),
        total: DecimalText.describe('What the change costs now, including tax and usage; negative when more is given back than charged.'),
        usage_old_contract: DecimalText.describe('Usage of the current contract that is owed at the change.'),
        time_on_new_contract: Hours.describe('Part of the period after the change.'),
        time_on_old_contract: Hours.describe('Part of the period before the change.'),
      })
      .describe('How the cost is computed, contract by contract.'),
    new_contract_period: Period.describe('The whole billing period, which goes on; a new one when the cycle changes.'),
    credits: CreditsMoved.describe('What the change does to the prepaid credits that come with the plans.'),
    change_rule: FollowedRule.describe('When the change happens, how it is charged and how that is collected.'),
    estimate_token: z.string().describe('Fixes the estimate’s instant for `…/upgrade`; opaque text.'),
    expires: Timestamp.describe('When the token expires: ten minutes after the estimate, on the customer’s clock.'),
    activation: Timestamp.describe('When the change takes effect: now, or at the end of the cycle.'),
    awaiting_payment: AwaitingPayment.nullable().describe(
      'What the change would wait for with the `payment_gate` given; null without one, and where nothing would have to be paid.',
    ),
  })
  .meta({ id: 'UpgradeEstimate', description: 'What a change costs and when it would take effect.' });
