import type { z } from 'zod';
import type { UsageEntry, UsageEvent, UsageFailures, UsageHistory, UsagePeriod, UsageRequest } from '../schema/usage.ts';
import { exampleId, ids } from './ids.ts';

/** Two usage events of 1 June. */
export const usageEvents = [
  {
    id: ids.usage,
    customer_id: ids.customer,
    contract_id: ids.movedContract,
    feature_slug: 'calls',
    units: '120',
    original_units: '120',
    is_absolute: false,
    metadata: {},
    timestamp: '2026-06-01T00:00:00.000Z',
    received: '2026-06-01T00:00:00.000Z',
    period_idx: 1,
    discarded: false,
    discarded_at: null,
    notes: null,
  },
  {
    id: exampleId('Evt', 2),
    customer_id: ids.customer,
    contract_id: ids.movedContract,
    feature_slug: 'calls',
    units: '40',
    original_units: '40',
    is_absolute: false,
    metadata: {},
    timestamp: '2026-06-01T00:00:00.000Z',
    received: '2026-06-01T00:00:00.000Z',
    period_idx: 1,
    discarded: false,
    discarded_at: null,
    notes: null,
  },
] satisfies z.input<typeof UsageEvent>[];

/** 160 calls at 0.02. */
export const junePeriodUsage = {
  idx: 1,
  start: '2026-06-01T00:00:00.000Z',
  end: '2026-07-01T00:00:00.000Z',
  closes_at: '2026-07-02T00:00:00.000Z',
  status: 'open',
  features: [{ feature_slug: 'calls', units_used: '160', units_charged: '160', over_usage_unit_charged: '0', amount: '3.20' }],
  invoice_threshold: null,
} satisfies z.input<typeof UsagePeriod>;

/** The second entry named a feature that does not exist. */
export const refusedEntries = [
  { index: 1, status: 404, code: 'feature_not_found', feedback: { feature_slug: { type: 'error', value: 'is not known' } } },
] satisfies z.input<typeof UsageFailures>;

export const exampleUsageRequest = {
  customer_id: ids.customer,
  feature_slug: 'calls',
  units: '120',
  timestamp: '2026-06-01T00:00:00.000Z',
} satisfies z.input<typeof UsageRequest>;

export const exampleUsageEntries = [
  { customer_id: ids.customer, feature_slug: 'calls', units: '40', idempotency_key: 'batch-7-1' },
  { customer_id: ids.customer, feature_slug: 'call', units: '15', idempotency_key: 'batch-7-2' },
] satisfies z.input<typeof UsageEntry>[];

/** 120 calls that were counted twice, and then not at all. */
export const exampleUsageHistory = [
  { at: '2026-06-01T00:00:00.000Z', action: 'reported', units: '120', notes: null, key_id: null },
  { at: '2026-06-11T00:00:00.000Z', action: 'amended', units: '100', notes: 'counted twice', key_id: ids.firstKey },
  { at: '2026-06-11T00:00:00.000Z', action: 'discarded', units: null, notes: 'reported by mistake', key_id: ids.firstKey },
] satisfies z.input<typeof UsageHistory>;
