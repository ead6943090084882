import { z } from 'zod';
import { AnyTimestampInput, ContractId, CustomerId, DecimalInput, DecimalText, EventId, listOf, mapOf, Slug, Timestamp } from './common.ts';
import { paginated, pagingQuery } from './paging.ts';

const eventFields = {
  customer_id: CustomerId.describe('The customer who used it.'),
  feature_slug: Slug.describe('A feature with a usage price in one of the customer’s contracts.'),
  units: DecimalInput.describe('Units used since the previous event; events are summed, so report nothing twice. Not negative.'),
  is_absolute: z.boolean().nullish().describe('Whether these units replace all earlier events of the billing period. Default false.'),
  metadata: mapOf(z.string().max(10_000)).nullish().describe('Your own notes for machines, stored with the event.'),
  timestamp: AnyTimestampInput.nullish().describe(
    'When it was used, which decides the billing period; at most an hour in the future. Absent or null: when it arrives, on the customer’s clock.',
  ),
  allow_correction: z
    .boolean()
    .nullish()
    .describe(
      'Whether an event in a closed period is accepted and the difference billed on the next invoice. Default false: a 409 `period_closed`.',
    ),
};

export const UsageRequest = z.strictObject(eventFields).meta({ id: 'UsageRequest', description: 'One usage event to report.' });

export const UsageEntry = z
  .strictObject({
    ...eventFields,
    idempotency_key: z
      .string()
      .min(1)
      .max(255)
      .nullish()
      .describe(
        'A repeat with the same key succeeds and changes nothing. Null or absent: the event counts each time it is sent, except in a repeat of the request under its `Idempotency-Key`.',
      ),
  })
  .meta({ id: 'UsageEntry', description: 'One usage event of many.' });

/** Entries are unknown here and checked one by one, so that a wrong entry doesn't refuse the others. */
export const UsageBulkRequest = listOf(z.unknown(), 1000).meta({
  id: 'UsageBulkRequest',
  description: 'Up to 1,000 usage events; each one is accepted or refused separately.',
  items: { $ref: '#/components/schemas/UsageEntry' },
});

export const UsageFailures = z
  .array(
    z.object({
      index: z.int().describe('Place of the entry in the request, from 0.'),
      status: z.int().describe('The status that this entry would have got alone.'),
      code: z.string().describe('The error code, which never changes.'),
      feedback: z
        .record(
          z.string(),
          z.object({
            type: z.literal('error').describe('Always `error`.'),
            value: z.string().describe('What is wrong, and what to give instead.'),
          }),
        )
        .describe('What is wrong, by field or subject.'),
    }),
  )
  .meta({ id: 'UsageFailures', description: 'The refused entries, in order; all others are stored.' });

export const UsageEvent = z
  .object({
    id: EventId.describe('Id of the event, returned when it was reported.'),
    customer_id: CustomerId.describe('The customer who used it.'),
    contract_id: ContractId.describe('The contract in which it counts, found by its timestamp.'),
    feature_slug: z.string().describe('The feature that was used.'),
    units: DecimalText.describe('Units that count now, after amendments.'),
    original_units: DecimalText.describe('Units as they were reported.'),
    is_absolute: z.boolean().describe('Whether it replaced all earlier events of its period.'),
    metadata: z.record(z.string(), z.string()).describe('Your own notes for machines; empty for none.'),
    timestamp: Timestamp.describe('When it was used.'),
    received: Timestamp.describe('When it was reported, on the customer’s clock.'),
    period_idx: z.int().describe('Number of its usage period in the contract; 0 is the free trial.'),
    discarded: z.boolean().describe('Whether it no longer counts: discarded by a call, or by a later absolute event.'),
    discarded_at: Timestamp.nullable().describe('When a call discarded it; null when none did.'),
    notes: z.string().nullable().describe('Reason of the last amendment or discard; null for none.'),
  })
  .meta({ id: 'UsageEvent', description: 'A usage event as stored; discarded events stay on record.' });

export const UsagePage = paginated(UsageEvent, 'UsagePage');

export const UsageSearch = z.strictObject({
  customer: CustomerId.optional().describe('Only events of this customer.'),
  contract: ContractId.optional().describe('Only events that count in this contract.'),
  feature: Slug.optional().describe('Only events of this feature.'),
  from: AnyTimestampInput.optional().describe('Only events at or after this instant.'),
  to: AnyTimestampInput.optional().describe('Only events before this instant, which is not included.'),
  ...pagingQuery,
});

export const AmendRequest = z
  .strictObject({
    units: DecimalInput.describe('The right number of units, which replaces the reported one.'),
    notes: z.string().max(10_000).nullish().describe('The reason, stored with the event; null or absent for none.'),
  })
  .meta({ id: 'AmendRequest', description: 'A correction of a usage event.' });

export const UsageHistory = z
  .array(
    z
      .object({
        at: Timestamp.describe('When it was done, on the customer’s clock.'),
        action: z.enum(['reported', 'amended', 'discarded']).describe('What was done with the event.'),
        units: DecimalText.nullable().describe('The units that counted from then on; null for none.'),
        notes: z.string().nullable().describe('The reason that was given; null for none.'),
        key_id: z
          .string()
          .nullable()
          .describe(
            'The key that asked for it; null for the report: an event is stored without its key, since there are millions of them.',
          ),
      })
      .meta({ id: 'UsageHistoryEntry', description: 'One thing that was done with a usage event.' }),
  )
  .describe('What was done with the event, the oldest first.');

export const UsagePeriod = z
  .object({
    idx: z.int().describe('Number of the period in the contract, from 1; 0 is the free trial, which is recorded and never billed.'),
    start: Timestamp.describe('Start of the billing period; after a change inside it too, since its units count on.'),
    end: Timestamp.nullable().describe(
      'First instant whose usage no longer counts here: the end of the billing period, or the change, cancellation or expiration in it; null while `once` and `constant` run.',
    ),
    closes_at: Timestamp.nullable().describe('When it stops accepting events; null when a call or the contract’s end decides.'),
    status: z
      .enum(['open', 'closing', 'closed'])
      .describe('open: accepts events; closing: it has ended, but events of it are still accepted; closed: summed and billed.'),
    features: z
      .array(
        z.object({
          feature_slug: z.string().describe('The feature that was used.'),
          units_used: DecimalText.describe('Units reported in the billing period, also before a change in it.'),
          units_charged: DecimalText.describe('Units at the usual price, after batch size, minimum and maximum.'),
          over_usage_unit_charged: DecimalText.describe('Units at the over-usage price; "0" for none.'),
          amount: DecimalText.describe(
            'Price of the units before discount and tax, of an open period as if nothing more came. "0.00" in a trial.',
          ),
        }),
      )
      .describe('Usage of each feature with a usage price.'),
    invoice_threshold: DecimalText.nullable().describe(
      'What isn’t invoiced yet is invoiced each time it comes to this amount, before the period closes; null: all with the closing, in a trial nothing.',
    ),
  })
  .meta({ id: 'UsagePeriod', description: 'Usage of one contract in one billing period.' });

export const UsagePeriodPage = paginated(UsagePeriod, 'UsagePeriodPage');
