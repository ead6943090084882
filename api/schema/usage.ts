import { z } from 'zod';
import { AnyTimestampInput, ContractId, CustomerId, DecimalInput, DecimalText, EventId, mapOf, Slug, Timestamp } from './common.ts';
import { paginated, pagingQuery } from './paging.ts';

const event = {
  customer_id: CustomerId,
  feature_slug: Slug,
  units: DecimalInput,
  is_absolute: z.boolean().nullish(),
  metadata: mapOf(z.string().max(10_000)).nullish(),
  timestamp: AnyTimestampInput.nullish(),
  allow_correction: z.boolean().nullish().meta({ description: 'in a closed period: bill the difference on the next invoice' }),
};

export const UsageRequest = z.strictObject(event).meta({ id: 'UsageRequest' });

export const UsageEntry = z.strictObject({ ...event, idempotency_key: z.string().min(1).max(255).nullish() }).meta({ id: 'UsageEntry' });

/** The entries are checked one by one, so that one wrong entry doesn't refuse the others. */
export const UsageBulkRequest = z
  .array(z.unknown())
  .max(1000)
  .meta({ id: 'UsageBulkRequest', items: { $ref: '#/components/schemas/UsageEntry' } });

export const UsageFailures = z
  .array(
    z.object({
      index: z.int(),
      status: z.int(),
      code: z.string(),
      feedback: z.record(z.string(), z.object({ type: z.literal('error'), value: z.string() })),
    }),
  )
  .meta({ id: 'UsageFailures' });

export const UsageEvent = z
  .object({
    id: EventId,
    customer_id: CustomerId,
    contract_id: ContractId,
    feature_slug: z.string(),
    units: DecimalText,
    original_units: DecimalText,
    is_absolute: z.boolean(),
    metadata: z.record(z.string(), z.string()),
    timestamp: Timestamp,
    received: Timestamp,
    period_idx: z.int(),
    discarded: z.boolean(),
    discarded_at: Timestamp.nullable(),
    notes: z.string().nullable(),
  })
  .meta({ id: 'UsageEvent' });

export const UsagePage = paginated(UsageEvent, 'UsagePage');

export const UsageSearch = z.strictObject({
  customer: CustomerId.optional(),
  contract: ContractId.optional(),
  feature: Slug.optional(),
  from: AnyTimestampInput.optional(),
  to: AnyTimestampInput.optional(),
  ...pagingQuery,
});

export const AmendRequest = z.strictObject({ units: DecimalInput, notes: z.string().max(10_000).nullish() }).meta({ id: 'AmendRequest' });

export const UsagePeriod = z
  .object({
    idx: z.int(),
    start: Timestamp,
    end: Timestamp.nullable(),
    closes_at: Timestamp.nullable(),
    status: z.enum(['open', 'closing', 'closed']),
    features: z.array(
      z.object({
        feature_slug: z.string(),
        units_used: DecimalText,
        units_charged: DecimalText,
        over_usage_unit_charged: DecimalText,
        amount: DecimalText,
      }),
    ),
  })
  .meta({ id: 'UsagePeriod' });

export const UsagePeriodPage = paginated(UsagePeriod, 'UsagePeriodPage');
