import type { z } from 'zod';
import type { Customer, CustomerRequest, Erasure, HistoryEntry } from '../schema/customer.ts';
import { exampleAddress } from './address.ts';
import { liveSummary, movedSummary } from './contract.ts';
import { ids } from './ids.ts';

/** The customer Ada on 11 June, after the upgrade. */
export const exampleCustomer = {
  id: ids.customer,
  created: '2026-06-01T00:00:00.000Z',
  name: 'Ada Lovelace',
  emails: { main: 'ada@example.com' },
  metadata: { tier: 'gold' },
  status: 'active',
  address: exampleAddress,
  addresses: { main: exampleAddress },
  contracts: [movedSummary, liveSummary],
  customer_reference: 'crm-1815',
  notes: null,
  tax_details: null,
  language: 'en',
  configuration: null,
  resume_at: null,
  test_clock: ids.clock,
} satisfies z.input<typeof Customer>;

export const exampleCustomerRequest = {
  name: 'Ada Lovelace',
  emails: { main: 'ada@example.com' },
  addresses: { main: { line_1: '1 Main Street', city: 'Berlin', zip: '10115', country: 'DE' } },
  customer_reference: 'crm-1815',
  metadata: { tier: 'gold' },
  language: 'en',
  test_clock: ids.clock,
} satisfies z.input<typeof CustomerRequest>;

const byFirstKey = { type: 'key', id: ids.firstKey } as const;

export const exampleHistory = [
  { at: '2026-06-01T00:00:00.000Z', action: 'activated', object: null, notes: 'registered', actor: byFirstKey, api_key_id: ids.firstKey },
  { at: '2026-06-01T00:00:00.000Z', action: 'address_set', object: null, notes: null, actor: byFirstKey, api_key_id: ids.firstKey },
] satisfies z.input<typeof HistoryEntry>[];

export const exampleErasure = { customer: ids.customer, began: '2026-05-04T09:30:00.000Z', ended: null } satisfies z.input<typeof Erasure>;
