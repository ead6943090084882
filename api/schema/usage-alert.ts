import { z } from 'zod';
import { dec } from '../../billing/money/decimal.ts';
import { isShare } from '../../billing/usage/alert.ts';
import { DecimalInput, idSchema, ifGiven, Slug, Timestamp } from './common.ts';
import { paginated } from './paging.ts';

export const AlertId = idSchema('Alert').meta({ id: 'AlertId', description: 'Id of an alert on a customer’s usage or credits.' });

const MOST_STEPS = 20;
const MOST_PERCENT = 1_000;

const AlertOn = z.enum(['usage', 'spend', 'balance']).meta({
  id: 'AlertOn',
  description:
    'usage: units of a feature in the usage period; spend: what the usage of the open periods comes to, in the contract’s currency, before discount and tax; balance: the prepaid credits that are left, less what the open usage would use (`live`), of each currency by itself; before the first grant has begun there is none, and nothing is announced.',
});

const PERCENTAGE = 'must be a percentage such as "80%"';
const Percentage = z
  .string({ error: ifGiven(PERCENTAGE) })
  .regex(/^\d{1,4}(\.\d{1,4})?%$/, { error: PERCENTAGE, abort: true })
  .refine((text) => Number(text.slice(0, -1)) <= MOST_PERCENT, `must be at most ${MOST_PERCENT} %`)
  .transform((text) => `${dec(text.slice(0, -1)).toFixed()}%`)
  .meta({ examples: ['80%'] });

const isZero = (step: string): boolean => dec(step.replace('%', '')).isZero();

const Steps = z
  .array(z.union([Percentage, DecimalInput]), {
    error: ifGiven('must be a list of numbers and percentages, such as ["8000", "80%"]'),
  })
  .min(1)
  .max(MOST_STEPS)
  .transform((steps) => [...new Set(steps)]);

export const AlertRequest = z
  .strictObject({
    on: AlertOn.describe('What is watched.'),
    feature_slug: Slug.nullish().describe(
      'The feature whose usage is watched. Null or absent: for `spend` all features together, for `balance` always.',
    ),
    at: Steps.describe(
      'Levels that are announced, for `balance` when it falls to them or below (a grant that leaves it below a level announces that level with the next use), else when they are reached: numbers, or percentages of the limit (the lowest of the customer’s that counts the same in the window `period`), else of `maximum_units`.',
    ),
  })
  .superRefine(({ on, feature_slug: slug, at }, context) => {
    const wrong = (field: string, message: string): void => context.addIssue({ code: 'custom', path: [field], message });
    if (on === 'usage' && slug == null) wrong('feature_slug', 'is needed for usage: units of different features do not add up');
    if (on === 'balance' && slug != null) wrong('feature_slug', 'must be absent for balance: credits are not kept by feature');
    if (on === 'balance' && at.some(isShare)) wrong('at', 'must be numbers for balance: it is no share of a limit');
    if (on !== 'balance' && at.some(isZero)) wrong('at', 'must be above 0: nothing has to happen for 0');
  })
  .meta({ id: 'AlertRequest', description: 'An alert on a customer’s usage or credits.' });

export const Alert = z
  .object({
    id: AlertId.describe('Id of the alert, by which it is deleted.'),
    on: AlertOn.describe('What is watched.'),
    feature_slug: z.string().nullable().describe('The feature whose usage is watched; null for all together.'),
    at: z.array(z.string()).describe('Levels that are announced, as they were given: decimal text or percentages.'),
    created: Timestamp.describe('When it was set, on the customer’s clock.'),
  })
  .meta({ id: 'Alert', description: 'An alert on a customer’s usage or credits.' });

export const AlertPage = paginated(Alert, 'AlertPage');
