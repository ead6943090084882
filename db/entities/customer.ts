import { defineEntity, type InferEntity } from '@mikro-orm/core';
import type { Configuration } from '../../billing/contract/types.ts';
import { id, instant, json, serial, text, textArray } from './columns.ts';
import type { Address } from './vendor.ts';

export const Customer = defineEntity({
  name: 'Customer',
  tableName: 'customer',
  indexes: [
    { properties: ['vendorId', 'created', 'id'] },
    { properties: ['vendorId', 'status'] },
    { properties: ['vendorId', 'customerReference'] },
    { properties: ['testClockId'] },
    { name: 'customer_email_keys_index', expression: 'create index customer_email_keys_index on customer using gin (email_keys)' },
    { name: 'customer_search_index', expression: 'create index customer_search_index on customer using gin (search gin_trgm_ops)' },
    { name: 'customer_metadata_index', expression: 'create index customer_metadata_index on customer using gin (metadata)' },
  ],
  properties: {
    id: id(),
    vendorId: text(),
    created: instant(),
    name: text().default(''),
    emails: json<Record<string, string>>(),
    /** the e-mail addresses lower-cased, for search */
    emailKeys: textArray(),
    /** json, not jsonb: without `main` the first label counts, so the order is kept */
    addresses: json<Record<string, Address>>().columnType('json'),
    metadata: json<Record<string, string>>(),
    status: text(),
    customerReference: text().strictNullable(),
    notes: text().strictNullable(),
    vatId: text().strictNullable(),
    testClockId: text().strictNullable(),
    configuration: json<Partial<Configuration>>(),
    /** `none`, `manual` or the id of a payment method */
    defaultPayment: text().default('none'),
    frozenAt: instant().strictNullable(),
    /** name, e-mails and reference lower-cased, for part search */
    search: text().default(''),
  },
});
export type CustomerRow = InferEntity<typeof Customer>;

/** A freeze; `ended` null while it lasts. */
export const CustomerPause = defineEntity({
  name: 'CustomerPause',
  tableName: 'customer_pause',
  properties: {
    customerId: text().primary(),
    began: instant().primary(),
    ended: instant().strictNullable(),
  },
});

/** What was done to a customer, by which key, with the caller's notes. */
export const CustomerHistory = defineEntity({
  name: 'CustomerHistory',
  tableName: 'customer_history',
  indexes: [{ properties: ['customerId', 'id'] }],
  properties: {
    id: serial().primary(),
    customerId: text(),
    kind: text(),
    notes: text().strictNullable(),
    keyId: text().strictNullable(),
    at: instant(),
  },
});
