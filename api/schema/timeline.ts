import { z } from 'zod';
import { Actor, AnyTimestampInput, countInQuery, Timestamp } from './common.ts';

/** An hourly contract has several thousand in a month. */
export const MOST_ENTRIES = 1_000;

export const TimelineQuery = z.strictObject({
  limit: countInQuery(1, MOST_ENTRIES)
    .optional()
    .describe('How many of the newest entries are given, 1,000 unless given. Entries of one instant stay together, so there may be more.'),
  before: AnyTimestampInput.optional().describe('Only what happened before this instant; absent: all.'),
});

export const Timeline = z
  .object({
    past: z
      .array(
        z.object({
          at: Timestamp.describe('When it happened, on the customer’s clock.'),
          what: z.string().describe('What happened: the type of an event, or a word such as `period_began` or `invoice_made`.'),
          object: z.string().describe('Id of what it happened to: this contract, an invoice or the customer.'),
          actor: Actor.describe('Who asked for it; `system` where nobody did.'),
          data: z
            .record(z.string(), z.unknown())
            .describe('Its details, by kind, for example `idx` of a period or `number` and `total` of an invoice.'),
        }),
      )
      .describe('What happened to the contract, its periods, invoices and payments, and freezes, oldest first.'),
    earlier: Timestamp.nullable().describe('Pass it as `before` to read what happened before `past`; null: nothing did.'),
    next: z
      .array(
        z.object({
          at: Timestamp.describe('When it is due, on the customer’s clock.'),
          what: z.string().describe('What is due, for example `boundary`, `usage_closing` or `payment_retry`.'),
          subject: z.string().describe('The object it is due for: an id, followed by the number of the period where there is one.'),
          detail: z.record(z.string(), z.unknown()).describe('Its details, by kind.'),
        }),
      )
      .describe('What is due next, soonest first, what is due at one instant in the order in which it is carried out; the first 1,000.'),
    parked_reason: z.string().nullable().describe('Why the contract is parked until `…/resume`; null while it is not parked.'),
  })
  .meta({ id: 'Timeline', description: 'A contract’s past and future, each in order of time.' });
