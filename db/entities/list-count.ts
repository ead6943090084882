import { defineEntity } from '@mikro-orm/core';
import { big, oneOf, serial, textColumn, whole } from './columns.ts';

/**
 * How many rows a vendor has in a table, by the name of the table and the value of the column by which it is counted in
 * parts, without the changes not yet added up. `contract_of_plan` has contracts by plan and status, `customer_of_plan`
 * and `customer_of_plan_name` the customers of whom `CustomerByPlan` has a live contract.
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

/** How many live contracts a customer has of a plan or of a plan's name, changes that wait included. */
export const CustomerByPlan = defineEntity({
  name: 'CustomerByPlan',
  tableName: 'customer_by_plan',
  indexes: [{ name: 'customer_by_plan_empty_index', properties: ['vendorId', 'list', 'part', 'customerId'], where: 'n = 0' }],
  properties: {
    vendorId: textColumn().primary(),
    list: oneOf<'customer_of_plan' | 'customer_of_plan_name'>().primary(),
    part: textColumn().primary(),
    customerId: textColumn().primary(),
    n: whole(),
  },
});

/** A contract of a customer that has become live, or has ceased to be. Triggers write it. */
export const CustomerByPlanChange = defineEntity({
  name: 'CustomerByPlanChange',
  tableName: 'customer_by_plan_change',
  properties: {
    vendorId: textColumn().primary(),
    list: oneOf<'customer_of_plan' | 'customer_of_plan_name'>().primary(),
    part: textColumn().primary(),
    id: serial().primary(),
    customerId: textColumn(),
    n: whole(),
  },
});
