import { defineEntity, p } from '@mikro-orm/core';
import type { LimitWindow, UsageLimit } from '../../billing/usage/limit.ts';
import { id, instant, moneyColumn, oneOf, textColumn } from './columns.ts';
import { Customer } from './customer.ts';

/** How much of a feature a customer may use. */
export const UsageLimitRecord = defineEntity({
  name: 'UsageLimitRecord',
  tableName: 'usage_limit',
  indexes: [{ properties: ['customerId', 'created', 'id'] }],
  properties: {
    id: id(),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id'),
    slug: textColumn().strictNullable().fieldName('feature_slug'),
    units: moneyColumn().strictNullable(),
    amount: moneyColumn().strictNullable(),
    window: oneOf<LimitWindow>().fieldName('time_window'),
    action: oneOf<UsageLimit['action']>(),
    created: instant(),
  },
});

/**
 * Units of a feature that were counted in a day or an hour, kept while a customer has a limit for it. A row that is
 * absent is summed from the events, so any may go.
 */
export const UsageWindow = defineEntity({
  name: 'UsageWindow',
  tableName: 'usage_window',
  properties: {
    customerId: textColumn().primary(),
    featureSlug: textColumn().primary(),
    window: oneOf<LimitWindow>().primary().fieldName('time_window'),
    from: instant().primary().fieldName('began'),
    units: moneyColumn(),
  },
});
