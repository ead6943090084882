import { z } from 'zod';
import {
  ContractId,
  Currency,
  CustomerId,
  DecimalInput,
  DecimalText,
  InvoiceId,
  idSchema,
  listOf,
  Name,
  PlanId,
  Text,
  Timestamp,
  TimestampInput,
} from './common.ts';
import { paginated, pagingQuery } from './paging.ts';

export const GrantId = idSchema('Grant').meta({
  id: 'CreditGrantId',
  description: 'Id of prepaid credits that a customer was given at once.',
});

const PRIORITY = { least: 0, most: 100 };
const MOST_NAMED = 100;

const Kind = z
  .enum(['promotional', 'purchased'])
  .describe('promotional: a gift, booked as your own cost; purchased: bought by the customer, and granted when its invoice is paid.');

export const GrantRequest = z
  .strictObject({
    customer: CustomerId.describe('The customer who gets the credits.'),
    currency: Currency.describe('Currency of the credits; they pay invoices in it alone.'),
    amount: DecimalInput.describe('How much is granted: more than zero, with no more digits than the currency has.'),
    kind: Kind,
    price: DecimalInput.nullish().describe(
      'What purchased credits cost: an invoice of that price is made. Null or absent: their amount. Only with `kind: purchased`.',
    ),
    effective_at: TimestampInput.nullish().describe(
      'When its life begins; null or absent: now. That of purchased credits begins no sooner than they are paid.',
    ),
    expires_at: TimestampInput.nullish().describe(
      'When its life ends; it doesn’t pay for that instant. A freeze moves it. Null or absent: never.',
    ),
    priority: z
      .int()
      .min(PRIORITY.least)
      .max(PRIORITY.most)
      .nullish()
      .describe('0 is used first, 100 last; null or absent: 50. Among equals, what expires first goes first.'),
    applies_to: z
      .strictObject({
        features: listOf(Name, MOST_NAMED).nullish().describe('Slugs of the only features whose lines it pays; null or absent: any line.'),
        plans: listOf(PlanId, MOST_NAMED).nullish().describe('The only plans whose contracts it pays for; null or absent: all.'),
      })
      .nullish()
      .describe('What it is restricted to; null or absent: nothing.'),
    description: Text.nullish().describe('What it is for, shown to staff. Null or absent for none.'),
  })
  .meta({ id: 'CreditGrantRequest', description: 'Prepaid credits for a customer, and what they may pay.' });

export const CreditGrant = z
  .object({
    id: GrantId.describe('Names these credits in later calls.'),
    customer_id: CustomerId.describe('The customer who has it.'),
    currency: Currency.describe('They pay invoices in this one alone.'),
    kind: Kind,
    amount: DecimalText.describe('How much was granted.'),
    left: DecimalText.describe('What was neither used nor has expired.'),
    price: DecimalText.nullable().describe('What purchased credits cost; null for gifts.'),
    invoice_id: InvoiceId.nullable().describe('The invoice of purchased credits; null for gifts.'),
    held: DecimalText.describe('The part of that which an open payment gate holds.'),
    priority: z.int().describe('0 is used first, 100 last.'),
    effective_at: Timestamp.describe('When its life begins, freezes included.'),
    expires_at: Timestamp.nullable().describe('When its life ends, freezes included; null: never.'),
    applies_to: z
      .object({
        features: z.array(z.string()).nullable().describe('The only features that it pays for; null: any line.'),
        plans: z.array(PlanId).nullable().describe('The only plans that it pays for; null: all.'),
      })
      .describe('What it is restricted to.'),
    description: z.string().nullable().describe('What it is for; null for none.'),
    contract_id: ContractId.nullable().describe(
      'The contract whose plan gave it with a cycle; it pays for what is used, and for no recurring price. Null: it was granted by itself.',
    ),
    rolled_over_from: GrantId.nullable().describe('The grant of which this was left at its end; null for a new one.'),
    rollover_maximum: DecimalText.nullable().describe('The most of it that lasts as long again after its end; null: nothing does.'),
    status: z
      .enum(['awaiting_payment', 'scheduled', 'active', 'used', 'expired', 'voided'])
      .describe(
        'awaiting_payment: bought, and not paid yet; scheduled: its life lies ahead; active: something is left, also after its life while usage of that time is still open; used: nothing is left; expired: what was left has expired; voided: it was taken away, or its invoice was voided or credited.',
      ),
    created: Timestamp.describe('When it was granted.'),
  })
  .meta({ id: 'CreditGrant', description: 'Prepaid credits of a customer.' });

export const CreditUse = z
  .object({
    grant: GrantId.describe('Which credits paid.'),
    invoice: InvoiceId.nullable().describe('What they paid; null where they paid no invoice.'),
    amount: DecimalText.describe('What it paid; negative: what a credit note gave back to it.'),
    at: Timestamp.describe('When it was used or given back.'),
  })
  .meta({ id: 'CreditUse', description: 'A payment by prepaid credits, or what they got back.' });

export const GrantPage = paginated(CreditGrant, 'CreditGrantPage');
export const CreditUsePage = paginated(CreditUse, 'CreditUsePage');

export const GrantSearch = z.strictObject({
  customer: CustomerId.optional().describe('Only grants of this customer.'),
  ...pagingQuery,
});

export const CreditQuery = z.strictObject({
  currency: Currency.optional().describe('The currency whose credits are read; may be absent where all grants of the customer are in one.'),
});

export const CreditUseSearch = z.strictObject({ currency: Currency.optional().describe('Only uses in this currency.'), ...pagingQuery });

export const CustomerCredit = z
  .object({
    currency: Currency.describe('The currency that was asked for.'),
    settled: DecimalText.describe('What is left of all active grants.'),
    live: DecimalText.describe('The same less what they would pay of the usage that is open, priced as it stands.'),
    grants: z
      .array(CreditGrant)
      .describe(
        'The latest 100 grants in this currency, and older ones of which something is left, up to 1,000; oldest first. `GET /v1/c/credit_grant` lists all.',
      ),
    uses: z.array(CreditUse).describe('The newest 100 uses, oldest of them first.'),
  })
  .meta({ id: 'CustomerCredit', description: 'The prepaid credits of a customer in one currency.' });
