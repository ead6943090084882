import { z } from 'zod';
import { Currency, DecimalInput, DecimalText, idSchema, Timestamp } from './common.ts';
import { paginated } from './paging.ts';

export const TopUpId = idSchema('TopUp').meta({ id: 'TopUpId', description: 'Id of a top-up of prepaid credits.' });

export const TopUpRequest = z
  .strictObject({
    currency: Currency.describe('Currency of the credits. A top-up in the same currency is replaced.'),
    below: DecimalInput.describe('Credits are bought when the live balance falls below this.'),
    amount: DecimalInput.describe('The credits that are bought each time.'),
    price: DecimalInput.nullish().describe('What they cost each time. Null or absent: their amount.'),
    at_most_per_month: DecimalInput.describe('The most money that it spends in a calendar month, in UTC.'),
  })
  .meta({ id: 'TopUpRequest', description: 'When prepaid credits are bought by themselves, and how many.' });

export const TopUp = z
  .object({
    id: TopUpId.describe('By which it is deleted.'),
    currency: Currency.describe('Of the balance that is watched and of the credits that are bought.'),
    below: DecimalText.describe('Credits are bought when the live balance falls below this.'),
    amount: DecimalText.describe('The credits that are bought each time.'),
    price: DecimalText.describe('What they cost each time.'),
    at_most_per_month: DecimalText.describe('The most money that it spends in a calendar month.'),
    paused_until: Timestamp.nullable().describe('Nothing is bought before, since a payment was declined; null: none was.'),
    status: z
      .enum(['active', 'stopped'])
      .describe('stopped: nothing is bought, until another default method, a charge that succeeds or another setting.'),
    stopped_reason: z.enum(['payment_declined']).nullable().describe('payment_declined: three payments in a row. Null: active.'),
    stopped_at: Timestamp.nullable().describe('When it stopped, on the customer’s clock; null: active.'),
    created: Timestamp.describe('When it was set first, on the customer’s clock.'),
  })
  .meta({ id: 'TopUp', description: 'Prepaid credits that are bought by themselves.' });

export const TopUpPage = paginated(TopUp, 'TopUpPage');
