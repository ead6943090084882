import type { z } from 'zod';
import type { CreditGrant, CustomerCredit } from '../schema/credit.ts';
import { exampleId, ids } from './ids.ts';

const grant = exampleId('Grant', 1);

/** 50.00 for a year. */
export const exampleGrant = {
  id: grant,
  customer_id: ids.customer,
  currency: 'usd',
  kind: 'promotional',
  amount: '50.00',
  left: '50.00',
  price: null,
  invoice_id: null,
  held: '0.00',
  priority: 50,
  effective_at: '2026-06-11T00:00:00.000Z',
  expires_at: '2027-06-01T00:00:00.000Z',
  applies_to: { features: null, plans: null },
  description: 'Welcome back',
  contract_id: null,
  rolled_over_from: null,
  rollover_maximum: null,
  status: 'active',
  created: '2026-06-11T00:00:00.000Z',
} satisfies z.input<typeof CreditGrant>;

export const exampleCredit = {
  currency: 'usd',
  settled: '50.00',
  live: '49.70',
  grants: [exampleGrant],
  uses: [],
} satisfies z.input<typeof CustomerCredit>;
