import { defineEntity } from '@mikro-orm/core';
import { big, serial, textColumn } from './columns.ts';

/**
 * How many rows a vendor has in a table, by the name of the table and the value of the column by which it is counted in
 * parts, without the changes not yet added up. `customer_of_plan` has the customers with a live contract by its plan,
 * without changes that wait.
 */
export const ListCount = defineEntity({
  name: 'ListCount',
  tableName: 'list_count',
  properties: { vendorId: textColumn().primary(), list: textColumn().primary(), part: textColumn().primary(), n: big() },
});

/** What one statement has added to a list, or taken from it. Triggers write it. */
export const ListCountChange = defineEntity({
  name: 'ListCountChange',
  tableName: 'list_count_change',
  properties: {
    vendorId: textColumn().primary(),
    list: textColumn().primary(),
    id: serial().primary(),
    part: textColumn(),
    n: big(),
  },
});
