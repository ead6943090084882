import type { z } from 'zod';
import type { Contract, ContractSummary, Estimate, Period, SignRequest } from '../schema/contract.ts';
import type { Configuration } from '../schema/preferences.ts';
import type { Timeline } from '../schema/timeline.ts';
import { exampleId, ids } from './ids.ts';
import { usualChangeRules, usualPauseRules } from './preferences.ts';

/** An estimate of zero. */
const nothing = { cycle_start_charges: '0.00', minimum_usage: '0.00', extra_cycle_end_charges: '0.00' } satisfies z.input<typeof Estimate>;

/** The billing period that both contracts share. */
export const junePeriod = { start: '2026-06-01T00:00:00.000Z', end: '2026-07-01T00:00:00.000Z' } satisfies z.input<typeof Period>;

/** No feature is charged by a cycle other than the contract's. */
const noCustomCycles = {
  periodic_daily: nothing,
  periodic_weekly: nothing,
  periodic_monthly: nothing,
  periodic_quarterly: nothing,
  periodic_yearly: nothing,
};

/** Paid by card when due; usage closes a day after its period. */
const exampleConfiguration = {
  automatic_payment: true,
  due_date_policy: 'start_of_period',
  net_days: 0,
  invoice_trigger: 'immediate',
  usage_period_closing_policy: '1 day',
  invoice_threshold: null,
  invoice_threshold_from: null,
  on_trial_end: 'continue',
  on_dunning_end: 'continue',
} satisfies z.input<typeof Configuration>;

/** Ada's first contract, after the upgrade. */
export const movedSummary = {
  id: ids.movedContract,
  plan: 'Team',
  plan_internal_name: 'Team 2026',
  plan_external_name: 'Team',
  plan_id: ids.team,
  pricing_id: exampleId('Price', 1),
  customer: 'Ada Lovelace',
  customer_id: ids.customer,
  status: 'moved',
  cycle: 'month',
  cycle_start_offset: 0,
  strategy: 'plan',
  currency: 'usd',
  amount: '30.00',
  billing_information: { current_period: junePeriod, current_period_idx: 1 },
  configuration: exampleConfiguration,
  free_cycles: 0,
  cost_estimates: {
    recurring_price: { cycle_start_charges: '30.00', minimum_usage: '0.00', extra_cycle_end_charges: '0.00' },
    one_time_price: nothing,
    on_demand_price: { cycle_start_charges: '15.00', minimum_usage: '0.00', extra_cycle_end_charges: '0.00' },
    custom_cycle_charges: noCustomCycles,
  },
  activation: '2026-06-01T00:00:00.000Z',
  created: '2026-06-01T00:00:00.000Z',
  expiration: null,
  free_trial_end: null,
  next_cycle_start: null,
  awaiting_payment: null,
} satisfies z.input<typeof ContractSummary>;

/** The contract that the upgrade created. */
export const liveSummary = {
  id: ids.contract,
  plan: 'Business',
  plan_internal_name: 'Business 2026',
  plan_external_name: 'Business',
  plan_id: ids.business,
  pricing_id: exampleId('Price', 2),
  customer: 'Ada Lovelace',
  customer_id: ids.customer,
  status: 'active',
  cycle: 'month',
  cycle_start_offset: 0,
  strategy: 'plan',
  currency: 'usd',
  amount: '300.00',
  billing_information: { current_period: junePeriod, current_period_idx: 1 },
  configuration: exampleConfiguration,
  free_cycles: 0,
  cost_estimates: {
    recurring_price: { cycle_start_charges: '300.00', minimum_usage: '0.00', extra_cycle_end_charges: '0.00' },
    one_time_price: nothing,
    on_demand_price: { cycle_start_charges: '15.00', minimum_usage: '0.00', extra_cycle_end_charges: '0.00' },
    custom_cycle_charges: noCustomCycles,
  },
  activation: '2026-06-11T00:00:00.000Z',
  created: '2026-06-11T00:00:00.000Z',
  expiration: null,
  free_trial_end: null,
  next_cycle_start: '2026-07-01T00:00:00.000Z',
  awaiting_payment: null,
} satisfies z.input<typeof ContractSummary>;

/** The contract that the upgrade created, with its copy of the plan. */
export const exampleContract = {
  contract_summary: liveSummary,
  plan: {
    id: exampleId('Plan', 4),
    slug: 'business',
    name: 'Business',
    internal_name: 'Business 2026',
    strategy: 'plan',
    features: [
      {
        id: exampleId('Feat', 7),
        name: 'API calls',
        slug: 'calls',
        charge_trigger: 'every_cycle',
        original_feature_id: exampleId('Feat', 4),
        value: null,
        price: {
          amount: '0.02',
          currency: 'usd',
          strategy_details: {
            pricing_strategy: 'usage',
            over_usage_charge_strategy: 'extra_usage_overcharge',
            over_usage_price: null,
            over_usage_unit_charged: '0',
            minimum_units: null,
            unit_name: 'call',
            batch_size: null,
            flat_fee: null,
            maximum_units: null,
            units_charged: '160',
            units_used: '160',
          },
          free_cycles: 0,
          tax_code: null,
          total_charge_estimate: { subtotal: '0.00', total: '0.00' },
        },
      },
      {
        id: exampleId('Feat', 8),
        name: 'Custom report',
        slug: 'report',
        charge_trigger: 'on_demand',
        original_feature_id: exampleId('Feat', 5),
        value: null,
        price: {
          amount: '15.00',
          currency: 'usd',
          strategy_details: { pricing_strategy: 'flat' },
          free_cycles: 0,
          tax_code: null,
          total_charge_estimate: { subtotal: '15.00', total: '15.00' },
        },
      },
      {
        id: exampleId('Feat', 9),
        name: 'Single sign-on',
        slug: 'sso',
        charge_trigger: 'every_cycle',
        original_feature_id: exampleId('Feat', 6),
        value: true,
        price: null,
      },
    ],
    free_trial_days: 0,
    description: null,
    external_name: 'Business',
    original_plan_id: ids.business,
    price: {
      amount: '300.00',
      currency: 'usd',
      strategy_details: { pricing_strategy: 'flat' },
      free_cycles: 0,
      tax_code: null,
      total_charge_estimate: { subtotal: '300.00', total: '300.00' },
    },
  },
  billing_information: { current_period: junePeriod, current_period_idx: 1 },
  discount: null,
  awaiting_payment: null,
  change_rules: usualChangeRules,
  change_rules_from: { upgrade: 'default', downgrade: 'default', units_up: 'default', units_down: 'default' },
  pause_rules: usualPauseRules,
  pause_rules_from: { resume_after_days: 'default', usage: 'default', trial: 'default', expiration: 'default', discount: 'default' },
  catching_up: false,
} satisfies z.input<typeof Contract>;

/** What happened to that contract on 11 June, and what is due next. */
const bySystem = { type: 'system', id: null } as const;

export const exampleTimeline = {
  past: [
    { at: '2026-06-11T00:00:00.000Z', what: 'period_began', object: ids.contract, actor: bySystem, data: { idx: 1 } },
    {
      at: '2026-06-11T00:00:00.000Z',
      what: 'invoice_made',
      object: ids.invoice,
      actor: { type: 'key', id: ids.firstKey },
      data: { total: '180.00', number: '2', currency: 'usd' },
    },
    {
      at: '2026-06-11T00:00:00.000Z',
      what: 'v1.payment.succeeded',
      object: ids.invoice,
      actor: bySystem,
      data: {
        id: ids.invoice,
        amount: '180.00',
        currency: 'usd',
        payment_id: exampleId('Pay', 1),
        customer_id: ids.customer,
        payment_method_id: ids.method,
      },
    },
    {
      at: '2026-06-11T00:00:00.000Z',
      what: 'v1.invoice.paid',
      object: ids.invoice,
      actor: bySystem,
      data: { id: ids.invoice, contract_id: ids.contract, customer_id: ids.customer },
    },
  ],
  earlier: null,
  next: [
    { at: '2026-07-01T00:00:00.000Z', what: 'boundary', subject: `${ids.contract}/1`, detail: { idx: 2 } },
    {
      at: '2026-07-02T00:00:00.000Z',
      what: 'usage_closing',
      subject: `${ids.contract}/1`,
      detail: { idx: 1, from: '2026-06-11T00:00:00.000Z', until: '2026-07-01T00:00:00.000Z' },
    },
  ],
  parked_reason: null,
} satisfies z.input<typeof Timeline>;

export const exampleSignRequest = {
  customer: ids.customer,
  plan: ids.team,
  currency: 'usd',
  cycle: 'month',
  usage_period_closing_policy: '1 day',
} satisfies z.input<typeof SignRequest>;
