import type { z } from 'zod';
import type { ApiKey, Event, TestClock } from '../schema/operating.ts';
import { exampleId, ids } from './ids.ts';
import { upgradeDetail } from './invoice.ts';

/** Ada's test clock. */
export const exampleClock = {
  id: ids.clock,
  name: 'June with Ada',
  now: '2026-06-01T00:00:00.000Z',
  status: 'ready',
  reason: null,
  next_due: null,
} satisfies z.input<typeof TestClock>;

/** The clock while it advances to 11 June. */
export const advancingClock = { ...exampleClock, status: 'advancing', next_due: '2026-07-01T00:00:00.000Z' } satisfies z.input<
  typeof TestClock
>;

/** What happened to the invoice of the upgrade. */
export const invoiceEvents = [
  {
    id: exampleId('Evt', 3),
    type: 'v1.invoice.created',
    timestamp: '2026-06-11T00:00:00.000Z',
    object: ids.invoice,
    sequence: 1,
    data: { id: ids.invoice, contract_id: ids.contract, customer_id: ids.customer, object: upgradeDetail },
  },
  {
    id: exampleId('Evt', 4),
    type: 'v1.payment.started',
    timestamp: '2026-06-11T00:00:00.000Z',
    object: ids.invoice,
    sequence: 2,
    data: {
      id: ids.invoice,
      amount: '180.00',
      currency: 'usd',
      payment_id: exampleId('Pay', 1),
      customer_id: ids.customer,
      payment_method_id: ids.method,
      object: upgradeDetail,
    },
  },
  {
    id: exampleId('Evt', 5),
    type: 'v1.payment.succeeded',
    timestamp: '2026-06-11T00:00:00.000Z',
    object: ids.invoice,
    sequence: 3,
    data: {
      id: ids.invoice,
      amount: '180.00',
      currency: 'usd',
      payment_id: exampleId('Pay', 1),
      customer_id: ids.customer,
      payment_method_id: ids.method,
      object: upgradeDetail,
    },
  },
  {
    id: exampleId('Evt', 6),
    type: 'v1.invoice.paid',
    timestamp: '2026-06-11T00:00:00.000Z',
    object: ids.invoice,
    sequence: 4,
    data: { id: ids.invoice, contract_id: ids.contract, customer_id: ids.customer, object: upgradeDetail },
  },
] satisfies z.input<typeof Event>[];

/** The first key, a key that ends after its rotation, and the key that replaces it. */
export const exampleKeys = [
  { id: exampleId('Key', 1), name: 'first key', scope: 'full', created: '2026-05-04T09:30:00.000Z', expires: null, revoked: null },
  {
    id: ids.key,
    name: 'usage reporter',
    scope: 'usage',
    created: '2026-05-04T09:30:00.000Z',
    expires: '2026-05-04T10:30:00.000Z',
    revoked: null,
  },
  { id: exampleId('Key', 3), name: 'usage reporter', scope: 'usage', created: '2026-05-04T09:30:00.000Z', expires: null, revoked: null },
] satisfies z.input<typeof ApiKey>[];

/** A key in the form of real ones; no vendor has it. */
export const exampleKey = 'api_key_2b7Qm0wYt5sKxJ9dVzR4hLcN8aGfEuP1iToXqWbZ3yM';
