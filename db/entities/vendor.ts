import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { GivenPauseRules } from '../../billing/contract/period/pause-rules.ts';
import type { GivenChangeRules } from '../../billing/contract/terms/change-rules.ts';
import type { Configuration } from '../../billing/contract/types.ts';
import type { TaxPolicy } from '../../billing/invoice/types.ts';
import type { EmailSettings } from '../customer/email.ts';
import type { Language } from '../customer/language.ts';
import { flag, id, instant, json, moneyColumn, oneOf, textColumn, whole } from './columns.ts';

export interface Address {
  line_1: string;
  line_2: string | null;
  city: string;
  state: string | null;
  zip: string;
  country: string;
}

export interface Seller {
  name: string;
  address: Address | null;
  vat_id: string | null;
}

/** How numbers of documents are printed. */
export interface NumberFormat {
  /** of invoices */
  prefix: string;
  /** digits at least: zeros come before the number */
  width: number;
  /** of credit notes; null: the same */
  creditNotePrefix: string | null;
}

/** The caller of the API. `invoicing` is what its contracts fall back to. */
export const Vendor = defineEntity({
  name: 'Vendor',
  tableName: 'vendor',
  properties: {
    id: id(),
    name: textColumn(),
    created: instant(),
    invoicing: json<Configuration>(),
    numberFormat: json<NumberFormat>().defaultRaw(`'{"prefix": "", "width": 1, "creditNotePrefix": null}'`),
    /** what changes of its contracts follow, unless the plan or the contract says otherwise */
    changeRules: json<GivenChangeRules>().defaultRaw(`'{}'`),
    /** what a freeze means for its contracts, unless the plan says otherwise */
    pauseRules: json<GivenPauseRules>().defaultRaw(`'{}'`),
    taxPolicy: oneOf<TaxPolicy>().default('tax_included'),
    seller: json<Seller>().strictNullable(),
    /** smallest amount collected automatically, by currency */
    paymentThreshold: json<Record<string, string>>(),
    retryDays: json<number[]>().strictNullable(),
    /** of the portal and of e-mails, for customers that have none of their own */
    language: oneOf<Language>().default('en'),
    /** e-mails to its customers; null: none are sent */
    email: json<EmailSettings>().strictNullable(),
    taxRates: () => p.oneToMany(TaxRateRecord).mappedBy('vendor').orderBy({ position: 'asc', id: 'asc' }).orphanRemoval(),
  },
});
export type VendorRecord = InferEntity<typeof Vendor>;

export type KeyScope = 'full' | 'read' | 'usage';

export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  indexes: [{ properties: ['vendor', 'created', 'id'] }],
  properties: {
    id: id(),
    vendor: () => p.manyToOne(Vendor).ref(),
    name: textColumn(),
    hash: textColumn().unique(),
    scope: oneOf<KeyScope>(),
    created: instant(),
    expiresAt: instant().strictNullable(),
    revokedAt: instant().strictNullable(),
    lastUsedAt: instant().strictNullable(),
  },
});
export type ApiKeyRecord = InferEntity<typeof ApiKey>;

/** A session of a vendor's people that was ended before its cookie expires. */
export const EndedSession = defineEntity({
  name: 'EndedSession',
  tableName: 'ended_session',
  indexes: [{ properties: ['expires'] }],
  properties: { id: id(), expires: instant() },
});

/** Somebody of a vendor, as the vendor's sign-in service knows them. Name and e-mail are those of the last sign-in. */
export const Person = defineEntity({
  name: 'Person',
  tableName: 'person',
  uniques: [{ properties: ['vendorId', 'issuer', 'subject'] }],
  properties: {
    id: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    issuer: textColumn(),
    subject: textColumn(),
    name: textColumn(),
    email: textColumn().strictNullable(),
    signedIn: instant(),
  },
});

/** A session of a vendor's people in the console. Only the hash of its secret is stored. */
export const ConsoleSession = defineEntity({
  name: 'ConsoleSession',
  tableName: 'console_session',
  indexes: [{ properties: ['keyId'] }, { properties: ['personId'] }, { properties: ['expires'] }],
  properties: {
    hash: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    /** the key that opened it: it can do what the key can, for as long as the key is live */
    keyId: () => p.manyToOne(ApiKey).mapToPk().joinColumn('key_id').strictNullable().deleteRule('no action'),
    /** the person who opened it otherwise */
    personId: () => p.manyToOne(Person).mapToPk().joinColumn('person_id').strictNullable().deleteRule('no action'),
    /** what the groups of that person might do when they signed in; null: what the key may */
    scope: oneOf<'read' | 'full'>().strictNullable(),
    created: instant(),
    lastSeen: instant(),
    expires: instant(),
  },
});
export type ConsoleSessionRecord = InferEntity<typeof ConsoleSession>;

export const TaxRateRecord = defineEntity({
  name: 'TaxRateRecord',
  tableName: 'tax_rate',
  indexes: [{ properties: ['vendor'] }],
  properties: {
    id: id(),
    vendor: () => p.manyToOne(Vendor).ref(),
    taxCode: textColumn().strictNullable(),
    country: textColumn().strictNullable(),
    state: textColumn().strictNullable(),
    rate: moneyColumn(),
    position: whole().default(0),
  },
});

/** A vendor's own time. `target` is the instant that an advance under way leads to. */
export const TestClock = defineEntity({
  name: 'TestClock',
  tableName: 'test_clock',
  indexes: [{ properties: ['vendorId', 'created', 'id'] }],
  properties: {
    id: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    name: textColumn().strictNullable(),
    created: instant(),
    now: instant(),
    target: instant().strictNullable(),
    /** when, by Postgres's time, its advance began or last reached another instant */
    movedAt: instant().strictNullable(),
    status: oneOf<'ready' | 'advancing' | 'failed'>().default('ready'),
    reason: textColumn().strictNullable(),
    used: flag().default(false),
  },
});
export type TestClockRecord = InferEntity<typeof TestClock>;
