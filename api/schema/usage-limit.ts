import { z } from 'zod';
import { DecimalInput, DecimalText, idSchema, Slug, Timestamp } from './common.ts';
import { paginated } from './paging.ts';

export const LimitId = idSchema('Limit').meta({ id: 'LimitId', description: 'Id of a limit on a customer’s usage.' });

const LimitWindow = z.enum(['period', 'day', 'hour']).meta({
  id: 'LimitWindow',
  description: 'period: the usage period; day, hour: of the calendar in UTC, on the customer’s clock.',
});
const LimitAction = z.enum(['refuse', 'tell']).meta({
  id: 'LimitAction',
  description:
    'refuse: usage beyond it is a 409 `limit_reached`. tell: usage passes, and the first beyond it in each window is an event `v1.alert.reached`.',
});

export const LimitRequest = z
  .strictObject({
    feature_slug: Slug.nullish().describe('The feature whose usage is limited. Null or absent: all features together, by `amount`.'),
    units: DecimalInput.nullish().describe('Most units in the window; needs `feature_slug`. Null or absent where `amount` is given.'),
    amount: DecimalInput.nullish().describe(
      'Most money that the usage of open periods may come to, in the contract’s currency; only for the window `period`. Null or absent where `units` is given.',
    ),
    window: LimitWindow.describe('The time over which usage counts.'),
    action: LimitAction.describe('What happens to usage beyond it.'),
  })
  .superRefine(({ feature_slug: slug, units, amount, window }, context) => {
    const wrong = (field: string, message: string): void => context.addIssue({ code: 'custom', path: [field], message });
    if ((units == null) === (amount == null)) wrong('units', 'give either units or amount');
    if (units != null && slug == null) wrong('feature_slug', 'is needed with units: those of different features do not add up');
    if (amount != null && window !== 'period') wrong('window', 'must be period for an amount: prices hold for a period');
  })
  .meta({ id: 'LimitRequest', description: 'A limit on a customer’s usage.' });

export const Limit = z
  .object({
    id: LimitId.describe('Id of the limit, by which it is deleted.'),
    feature_slug: z.string().nullable().describe('The feature whose usage is limited; null for all together.'),
    units: DecimalText.nullable().describe('Most units in the window; null for a limit of money.'),
    amount: DecimalText.nullable().describe('Most money in the contract’s currency; null for a limit of units.'),
    window: LimitWindow.describe('The time over which usage counts.'),
    action: LimitAction.describe('What happens to usage beyond it.'),
    created: Timestamp.describe('When it was set, on the customer’s clock.'),
  })
  .meta({ id: 'Limit', description: 'A limit on a customer’s usage.' });

export const LimitPage = paginated(Limit, 'LimitPage');
