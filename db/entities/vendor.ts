import { defineEntity, type InferEntity } from '@mikro-orm/core';
import type { Configuration } from '../../billing/contract/types.ts';
import { flag, id, instant, json, money, text, whole } from './columns.ts';

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

/** The caller of the API. `invoicing` is what its contracts fall back to. */
export const Vendor = defineEntity({
  name: 'Vendor',
  tableName: 'vendor',
  properties: {
    id: id(),
    name: text(),
    created: instant(),
    invoicing: json<Configuration>(),
    taxPolicy: text().default('tax_included'),
    seller: json<Seller>().nullable(),
    /** smallest amount collected automatically, by currency */
    paymentThreshold: json<Record<string, string>>(),
    retryDays: json<number[]>().nullable(),
  },
});
export type VendorRow = InferEntity<typeof Vendor>;

export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  indexes: [{ properties: ['vendorId', 'created', 'id'] }],
  properties: {
    id: id(),
    vendorId: text(),
    name: text(),
    hash: text().unique(),
    scope: text(),
    created: instant(),
    expiresAt: instant().nullable(),
    revokedAt: instant().nullable(),
    lastUsedAt: instant().nullable(),
  },
});

/** A session of a vendor's people that was ended before its cookie is over by itself. */
export const EndedSession = defineEntity({
  name: 'EndedSession',
  tableName: 'ended_session',
  indexes: [{ properties: ['expires'] }],
  properties: { id: id(), expires: instant() },
});

export const TaxRateRecord = defineEntity({
  name: 'TaxRateRecord',
  tableName: 'tax_rate',
  indexes: [{ properties: ['vendorId'] }],
  properties: {
    id: id(),
    vendorId: text(),
    taxCode: text().nullable(),
    country: text().nullable(),
    state: text().nullable(),
    rate: money(),
    position: whole().default(0),
  },
});

/** A vendor's own time line. `target` is where an advance under way leads. */
export const TestClock = defineEntity({
  name: 'TestClock',
  tableName: 'test_clock',
  indexes: [{ properties: ['vendorId', 'created', 'id'] }],
  properties: {
    id: id(),
    vendorId: text(),
    name: text().nullable(),
    created: instant(),
    now: instant(),
    target: instant().nullable(),
    status: text().default('ready'),
    reason: text().nullable(),
    used: flag().default(false),
  },
});
