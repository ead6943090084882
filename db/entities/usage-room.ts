import { defineEntity, p } from '@mikro-orm/core';
import { instant, json, textColumn } from './columns.ts';
import { Customer } from './customer.ts';

/**
 * Up to which counts a customer's usage reaches nothing that watches what it costs, so that it is only counted. A row
 * that is absent, or of another state, says nothing: usage is priced then.
 */
export const UsageRoomRecord = defineEntity({
  name: 'UsageRoomRecord',
  tableName: 'usage_room',
  properties: {
    customer: () => p.manyToOne(Customer).ref().primary().deleteRule('no action').updateRule('no action'),
    /** names the state of the customer, its contracts and credits that it holds in */
    state: textColumn(),
    /** it holds for usage dated then or later; null: for all */
    since: instant().strictNullable(),
    /** it holds until then, on the customer's clock; null: there is no such instant */
    until: instant().strictNullable(),
    /** counts as decimal text, or `Infinity`, by contract, period and feature */
    rooms: json<Record<string, string>>(),
  },
});
