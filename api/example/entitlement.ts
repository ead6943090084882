import type { z } from 'zod';
import type { AccessEntitlement, BillingEntitlement } from '../schema/entitlement.ts';
import { exampleId, ids } from './ids.ts';

/** What Ada may use after the upgrade. */
export const exampleAccess = {
  contract: { contract_id: ids.contract, status: 'active' },
  customer: { status: 'active' },
  plan: {
    name: 'Business',
    slug: 'business',
    entitlement_details: { pricing_strategy: 'flat' },
    original_plan_id: ids.business,
    features: [
      {
        name: 'API calls',
        slug: 'calls',
        entitlement_details: {
          pricing_strategy: 'usage',
          over_usage_charge_strategy: 'extra_usage_overcharge',
          used_unit_count: '160',
          unit_name: 'call',
          minimum_units: null,
          maximum_units: null,
        },
        original_feature_id: exampleId('Feat', 4),
      },
      {
        name: 'Custom report',
        slug: 'report',
        entitlement_details: { pricing_strategy: 'flat' },
        original_feature_id: exampleId('Feat', 5),
      },
      {
        name: 'Single sign-on',
        slug: 'sso',
        entitlement_details: { pricing_strategy: 'flat', value: true },
        original_feature_id: exampleId('Feat', 6),
      },
    ],
  },
  others: [],
} satisfies z.input<typeof AccessEntitlement>;

const payment = {
  payment_provider: 'cardproc',
  unpaid_invoices_info: [
    {
      currency: 'usd',
      payment_threshold: '0.00',
      total_unpaid: '50.00',
      unpaid_invoices: [{ amount: '50.00', due_date: '2026-07-11T00:00:00.000Z', id: ids.supportInvoice, status: 'ready_for_payment' }],
    },
  ],
  wallet_balance: '0.00',
  wallet_balances: [
    { balance: '0.00', held: '0.00', currency: 'usd', customer_id: ids.customer, id: exampleId('Wall', 1), wb_customer_id: ids.vendor },
  ],
  next_payment_due: '2026-07-11T00:00:00.000Z',
} satisfies z.input<typeof BillingEntitlement>['payment'];

/** Ada owes 50.00 for her other contract; the response is about the contract that the upgrade created. */
export const exampleStanding = {
  contract: { contract_id: ids.contract, status: 'active' },
  customer: { status: 'active' },
  payment,
  others: [{ contract: { contract_id: ids.supportContract, status: 'active' }, customer: { status: 'active' }, payment }],
} satisfies z.input<typeof BillingEntitlement>;
