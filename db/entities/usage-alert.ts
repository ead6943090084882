import { defineEntity, p } from '@mikro-orm/core';
import type { AlertOn } from '../../billing/usage/alert.ts';
import { id, instant, oneOf, textArray, textColumn } from './columns.ts';
import { Customer } from './customer.ts';

/** Levels of a customer's usage that are announced. */
export const UsageAlertRecord = defineEntity({
  name: 'UsageAlertRecord',
  tableName: 'usage_alert',
  indexes: [{ properties: ['customerId', 'created', 'id'] }],
  properties: {
    id: id(),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id'),
    on: oneOf<AlertOn>().fieldName('watches'),
    slug: textColumn().strictNullable().fieldName('feature_slug'),
    steps: textArray(),
    created: instant(),
  },
});

/** A step that was announced: once in each place, such as a usage period. */
export const UsageAlertReached = defineEntity({
  name: 'UsageAlertReached',
  tableName: 'usage_alert_reached',
  properties: {
    /** id of an alert, or of a limit that tells */
    watchId: textColumn().primary(),
    place: textColumn().primary(),
    step: textColumn().primary(),
  },
});
