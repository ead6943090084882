import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Configuration } from '../../billing/contract/types.ts';
import type { CustomerState } from '../../billing/lifecycle/customer.ts';
import type { Language } from '../customer/language.ts';
import type { Caller } from '../transaction.ts';
import { flag, id, instant, json, oneOf, orderedJson, serial, textArray, textColumn, writtenBy, writtenByIndex } from './columns.ts';
import { type Address, ApiKey, Person, TestClock, Vendor } from './vendor.ts';

interface Searched {
  name: string;
  emails: Record<string, string>;
  customerReference: string | null;
}

export const emailKeysOf = ({ emails }: Pick<Searched, 'emails'>): string[] => Object.values(emails).map((email) => email.toLowerCase());
export const searchOf = (customer: Searched): string =>
  [customer.name, ...Object.values(customer.emails), customer.customerReference ?? ''].join('\n').toLowerCase();

export const Customer = defineEntity({
  name: 'Customer',
  tableName: 'customer',
  indexes: [
    { properties: ['vendorId', 'created', 'id'] },
    { properties: ['vendorId', 'status', 'created', 'id'] },
    { properties: ['vendorId', 'customerReference'] },
    { properties: ['clockId'] },
    { name: 'customer_email_keys_index', expression: 'create index customer_email_keys_index on customer using gin (email_keys)' },
    { name: 'customer_search_index', expression: 'create index customer_search_index on customer using gin (search gin_trgm_ops)' },
    { name: 'customer_metadata_index', expression: 'create index customer_metadata_index on customer using gin (metadata)' },
    writtenByIndex('customer'),
  ],
  properties: {
    id: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    created: instant(),
    name: textColumn().default(''),
    emails: json<Record<string, string>>(),
    /** the e-mail addresses lower-cased, for search */
    emailKeys: textArray().onCreate(emailKeysOf).onUpdate(emailKeysOf),
    /** json, not jsonb: without `main` the first label counts, so the order is kept */
    addresses: orderedJson<Record<string, Address>>(),
    metadata: json<Record<string, string>>(),
    status: oneOf<CustomerState>(),
    customerReference: textColumn().strictNullable(),
    notes: textColumn().strictNullable(),
    vatId: textColumn().strictNullable(),
    /** null: the vendor's */
    language: oneOf<Language>().strictNullable(),
    clockId: () => p.manyToOne(TestClock).mapToPk().joinColumn('test_clock_id').strictNullable().deleteRule('no action'),
    configuration: json<Partial<Configuration>>(),
    /** `none`, `manual` or the id of a payment method */
    defaultPayment: textColumn().default('none'),
    frozenAt: instant().strictNullable(),
    /** when the freeze ends by itself; null: it doesn't, or there is none */
    resumeAt: instant().strictNullable(),
    /** has limits, alerts or an invoice threshold: its usage is counted by one transaction after the other */
    watched: flag().default(false),
    /** when its personal data were asked to be erased, and when all of them were */
    erasedAt: instant().strictNullable(),
    erasureEnded: instant().strictNullable(),
    /** name, e-mails and reference lower-cased, to search for a part of them */
    search: textColumn().default('').onCreate(searchOf).onUpdate(searchOf),
    xid: writtenBy(),
    pauses: () => p.oneToMany(CustomerPause).mappedBy('customer').orderBy({ began: 'asc' }).orphanRemoval(),
    history: () => p.oneToMany(CustomerHistory).mappedBy('customer').orderBy({ id: 'asc' }),
  },
});
export type CustomerEntity = InferEntity<typeof Customer>;

/** A freeze; `ended` null while it lasts. */
export const CustomerPause = defineEntity({
  name: 'CustomerPause',
  tableName: 'customer_pause',
  properties: {
    customer: () => p.manyToOne(Customer).ref().primary(),
    began: instant().primary(),
    ended: instant().strictNullable(),
  },
});

/** What was done to a customer, by whom, with the caller's notes. */
export const CustomerHistory = defineEntity({
  name: 'CustomerHistory',
  tableName: 'customer_history',
  indexes: [{ properties: ['customer', 'id'] }],
  properties: {
    id: serial().primary(),
    customer: () => p.manyToOne(Customer).ref(),
    kind: textColumn(),
    notes: textColumn().strictNullable(),
    /** id of what it was done with: a contract, an invoice, a payment method */
    object: textColumn().strictNullable(),
    callerType: oneOf<Caller['type']>().default('system'),
    key: () => p.manyToOne(ApiKey).ref().strictNullable().deleteRule('no action'),
    person: () => p.manyToOne(Person).ref().strictNullable().deleteRule('no action'),
    at: instant(),
  },
});
