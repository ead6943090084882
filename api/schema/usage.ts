import { z } from 'zod';
import { AnyTimestampInput, ContractId, CustomerId, DecimalInput, DecimalText, EventId, listOf, mapOf, Slug, Timestamp } from './common.ts';
import { paginated, pagingQuery } from './paging.ts';

const event = {
  customer_id: CustomerId.describe('Who used it.'),
  feature_slug: Slug.describe('A feature with a usage price in one of the customer’s contracts.'),
  units: DecimalInput.describe('Units used since the previous report; reports are added up, so report nothing twice. Not negative.'),
  is_absolute: z
    .boolean()
    .nullish()
    .describe('Whether all earlier events of the billing period are discarded and these units become its zero value. Default false.'),
  metadata: mapOf(z.string().max(10_000)).nullish().describe('Your own notes for machines, kept with the event.'),
  timestamp: AnyTimestampInput.nullish().describe(
    'When it was used, which decides the billing period; at most an hour ahead. Absent or null: when it arrives, on the customer’s clock.',
  ),
  allow_correction: z
    .boolean()
    .nullish()
    .describe(
      'Whether an event in a closed period is taken, its difference billed on the next invoice. Default false: a 409 `period_closed`.',
    ),
};

export const UsageRequest = z.strictObject(event).meta({ id: 'UsageRequest', description: 'One report of usage.' });

export const UsageEntry = z
  .strictObject({
    ...event,
    idempotency_key: z
      .string()
      .min(1)
      .max(255)
      .nullish()
      .describe('A repeat with the same key is a success that changes nothing. Null or absent: every report counts.'),
  })
  .meta({ id: 'UsageEntry', description: 'One report of usage among many.' });

/** The entries are checked one by one, so that one wrong entry doesn't refuse the others. */
export const UsageBulkRequest = listOf(z.unknown(), 1000).meta({
  id: 'UsageBulkRequest',
  description: 'Up to 1,000 reports; each is taken or refused by itself.',
  items: { $ref: '#/components/schemas/UsageEntry' },
});

export const UsageFailures = z
  .array(
    z.object({
      index: z.int().describe('Place of the entry in the request, from 0.'),
      status: z.int().describe('The status it would have got alone.'),
      code: z.string().describe('The error code, stable.'),
      feedback: z
        .record(
          z.string(),
          z.object({
            type: z.literal('error').describe('Always `error`.'),
            value: z.string().describe('What was wrong, and what to give instead.'),
          }),
        )
        .describe('What was wrong, by field or subject.'),
    }),
  )
  .meta({ id: 'UsageFailures', description: 'The entries that were refused, in order; all others are on disk.' });

export const UsageEvent = z
  .object({
    id: EventId.describe('Answered when it was reported.'),
    customer_id: CustomerId.describe('Who used it.'),
    contract_id: ContractId.describe('The contract it counts in, found by its timestamp.'),
    feature_slug: z.string().describe('What was used.'),
    units: DecimalText.describe('Units that count now, after amendments.'),
    original_units: DecimalText.describe('Units as they were reported.'),
    is_absolute: z.boolean().describe('Whether it set the zero value of its period.'),
    metadata: z.record(z.string(), z.string()).describe('Your own notes for machines; empty for none.'),
    timestamp: Timestamp.describe('When it was used.'),
    received: Timestamp.describe('When it was reported, on the customer’s clock.'),
    period_idx: z.int().describe('Number of its usage period in the contract; 0 is the free trial.'),
    discarded: z.boolean().describe('Whether it no longer counts: discarded by a call, or by a later absolute event.'),
    discarded_at: Timestamp.nullable().describe('When a call discarded it; null when none did.'),
    notes: z.string().nullable().describe('Reason of the last amendment or discard; null for none.'),
  })
  .meta({ id: 'UsageEvent', description: 'A report of usage as it is kept; discarded ones stay on record.' });

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
    units: DecimalInput.describe('The right number of units, in place of what it says.'),
    notes: z.string().max(10_000).nullish().describe('The reason, kept in the event’s history; null or absent for none.'),
  })
  .meta({ id: 'AmendRequest', description: 'What an event should have said.' });

export const UsagePeriod = z
  .object({
    idx: z.int().describe('Number in the contract, from 1; 0 is the free trial, which is recorded and never billed.'),
    start: Timestamp.describe('First instant whose usage counts here.'),
    end: Timestamp.nullable().describe('First instant whose usage no longer does; null for `once` and `constant`.'),
    closes_at: Timestamp.nullable().describe('When it stops taking events; null when a call or the contract’s end decides.'),
    status: z
      .enum(['open', 'closing', 'closed'])
      .describe('open: takes events; closing: its time is over, events of it are still taken; closed: summed and billed.'),
    features: z
      .array(
        z.object({
          feature_slug: z.string().describe('What was used.'),
          units_used: DecimalText.describe('Units reported in the billing period, also before a change in it.'),
          units_charged: DecimalText.describe('Units at the usual price, after batch size, minimum and maximum.'),
          over_usage_unit_charged: DecimalText.describe('Units at the over-usage price; "0" for none.'),
          amount: DecimalText.describe('What they cost before discount and tax, as if an open period ended now; "0.00" in a trial.'),
        }),
      )
      .describe('What was used of each feature with a usage price.'),
  })
  .meta({ id: 'UsagePeriod', description: 'Usage of one contract in one billing period.' });

export const UsagePeriodPage = paginated(UsagePeriod, 'UsagePeriodPage');
