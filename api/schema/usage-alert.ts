import { z } from 'zod';
import { dec } from '../../billing/money/decimal.ts';
import { DecimalInput, idSchema, Slug, Timestamp } from './common.ts';
import { paginated } from './paging.ts';

export const AlertId = idSchema('Alert').meta({ id: 'AlertId', description: 'Id of an alert on a customer’s usage.' });

const MOST_STEPS = 20;
const MOST_PERCENT = 1_000;

const AlertOn = z.enum(['usage', 'spend']).meta({
  id: 'AlertOn',
  description:
    'usage: units of a feature in the usage period; spend: what the usage of the open periods comes to, in the contract’s currency, before discount and tax.',
});

const Percentage = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,4})?%$/)
  .refine((text) => Number(text.slice(0, -1)) <= MOST_PERCENT, `must be at most ${MOST_PERCENT} %`)
  .transform((text) => `${dec(text.slice(0, -1)).toFixed()}%`)
  .meta({ examples: ['80%'] });

const Steps = z
  .array(z.union([Percentage, DecimalInput]))
  .min(1)
  .max(MOST_STEPS)
  .refine((steps) => steps.every((step) => !/^0(\.0+)?%?$/.test(step)), 'must be above 0: nothing has to happen for 0')
  .transform((steps) => [...new Set(steps)]);

export const AlertRequest = z
  .strictObject({
    on: AlertOn.describe('What is watched.'),
    feature_slug: Slug.nullish().describe('The feature whose usage is watched. Null or absent, only for `spend`: all features together.'),
    at: Steps.describe(
      'Levels that are told of: numbers, or percentages of the limit (the lowest of the customer’s that counts the same in the window `period`), else of `maximum_units`.',
    ),
  })
  .superRefine(({ on, feature_slug: slug }, context) => {
    const message = 'is needed for usage: units of different features do not add up';
    if (on === 'usage' && slug == null) context.addIssue({ code: 'custom', path: ['feature_slug'], message });
  })
  .meta({ id: 'AlertRequest', description: 'An alert on a customer’s usage.' });

export const Alert = z
  .object({
    id: AlertId.describe('Id of the alert, by which it is deleted.'),
    on: AlertOn.describe('What is watched.'),
    feature_slug: z.string().nullable().describe('The feature whose usage is watched; null for all together.'),
    at: z.array(z.string()).describe('Levels that are told of, as they were given: decimal text or percentages.'),
    created: Timestamp.describe('When it was set, on the customer’s clock.'),
  })
  .meta({ id: 'Alert', description: 'An alert on a customer’s usage.' });

export const AlertPage = paginated(Alert, 'AlertPage');
