import type { z } from 'zod';
import type { Discount, DiscountRequest, Plan, PlanRequest, PlanVersion } from '../schema/plan.ts';
import type { CataloguePrice } from '../schema/price.ts';
import { exampleId, ids } from './ids.ts';

/** 0.02 for each API call. */
const callsPrice = {
  amount: '0.02',
  strategy_details: {
    pricing_strategy: 'usage',
    over_usage_charge_strategy: 'extra_usage_overcharge',
    over_usage_price: null,
    over_usage_unit_charged: null,
    minimum_units: null,
    unit_name: 'call',
    batch_size: null,
    flat_fee: null,
    maximum_units: null,
    units_charged: null,
    units_used: null,
  },
  free_cycles: 0,
  tax_code: null,
} satisfies z.input<typeof CataloguePrice>;

/** 15.00 for each report. */
const reportPrice = {
  amount: '15.00',
  strategy_details: { pricing_strategy: 'flat' },
  free_cycles: 0,
  tax_code: null,
} satisfies z.input<typeof CataloguePrice>;

/** The plan that Ada signs on 1 June, for 30.00 a month. */
export const teamPlan = {
  id: ids.team,
  slug: 'team',
  internal_name: 'Team 2026',
  external_name: 'Team',
  description: null,
  strategy: 'plan',
  free_trial_days: 0,
  metadata: {},
  change_rules: { upgrade: null, downgrade: null, units_up: null, units_down: null },
  pause_rules: { usage: null, trial: null, expiration: null, discount: null },
  status: 'active',
  created: '2026-05-04T09:30:00.000Z',
  features: [
    { feature_id: exampleId('Feat', 1), slug: 'calls', name: 'API calls', charge_trigger: 'every_cycle', group: null, value: null },
    { feature_id: exampleId('Feat', 2), slug: 'report', name: 'Custom report', charge_trigger: 'on_demand', group: null, value: null },
    { feature_id: exampleId('Feat', 3), slug: 'sso', name: 'Single sign-on', charge_trigger: 'every_cycle', group: null, value: true },
  ],
  pricings: [
    {
      pricing_id: exampleId('Price', 1),
      currency: 'usd',
      cycle: 'month',
      free_cycles: 0,
      price: { amount: '30.00', strategy_details: { pricing_strategy: 'flat' }, free_cycles: 0, tax_code: null },
      features: { calls: callsPrice, report: reportPrice },
      groups: {},
      credits: null,
    },
  ],
} satisfies z.input<typeof Plan>;

const { id: _id, status: _status, created: firstSaved, ...held } = teamPlan;

/** Its only version so far. */
export const teamVersion = { ...held, version: 1, began: firstSaved, ended: null } satisfies z.input<typeof PlanVersion>;

/** 10 % off for three cycles. */
export const springDiscount = {
  id: ids.discount,
  slug: 'spring',
  name: 'Spring',
  discount_type: 'percentage',
  amount: '10',
  duration: 3,
  currency: null,
  status: 'active',
  created: '2026-05-04T09:30:00.000Z',
} satisfies z.input<typeof Discount>;

const features = [
  { slug: 'calls', name: 'API calls', charge_trigger: 'every_cycle' },
  { slug: 'report', name: 'Custom report', charge_trigger: 'on_demand' },
  { slug: 'sso', name: 'Single sign-on', value: true },
] satisfies z.input<typeof PlanRequest>['features'];

const flat = (amount: string) => ({ amount, strategy_details: { pricing_strategy: 'flat' as const } });

/** A plan with a monthly price, API calls at 0.02 and reports at 15.00. */
export const examplePlanRequestOf = (slug: string, name: string, amount: string) =>
  ({
    slug,
    internal_name: `${name} 2026`,
    external_name: name,
    strategy: 'plan',
    features,
    pricings: [
      {
        currency: 'usd',
        cycle: 'month',
        price: flat(amount),
        features: {
          calls: { amount: '0.02', strategy_details: { pricing_strategy: 'usage', unit_name: 'call' } },
          report: flat('15.00'),
        },
      },
    ],
  }) satisfies z.input<typeof PlanRequest>;

export const examplePlanRequest = examplePlanRequestOf('team', 'Team', '30.00');

export const exampleDiscountRequest = {
  slug: 'spring',
  name: 'Spring',
  discount_type: 'percentage',
  amount: '10',
  duration: 3,
} satisfies z.input<typeof DiscountRequest>;
