import { defineEntity, p } from '@mikro-orm/core';
import type { Language } from '../customer/language.ts';
import { id, instant, json, oneOf, textColumn } from './columns.ts';
import { ContractRecord } from './contract.ts';
import { Customer } from './customer.ts';
import { Invoice } from './invoice.ts';
import { Vendor } from './vendor.ts';

/** What a link may be made for: to pay an invoice, to choose a payment method, to change or cancel a contract. */
export const PORTAL_FLOWS = ['pay', 'method', 'change', 'cancel'] as const;
export type PortalFlow = (typeof PORTAL_FLOWS)[number];

export const PortalToken = defineEntity({
  name: 'PortalToken',
  tableName: 'portal_token',
  indexes: [{ properties: ['customerId'] }, { properties: ['expires'] }],
  properties: {
    hash: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id'),
    created: instant(),
    expires: instant(),
    usedAt: instant().strictNullable(),
    flow: oneOf<PortalFlow>().strictNullable(),
    invoiceId: () => p.manyToOne(Invoice).mapToPk().joinColumn('invoice_id').strictNullable().deleteRule('no action'),
    contractId: () => p.manyToOne(ContractRecord).mapToPk().joinColumn('contract_id').strictNullable().deleteRule('no action'),
    /** of a site that the vendor had listed when the link was made */
    returnUrl: textColumn().strictNullable(),
  },
});

export const PortalSession = defineEntity({
  name: 'PortalSession',
  tableName: 'portal_session',
  indexes: [{ properties: ['customerId'] }, { properties: ['expires'] }],
  properties: {
    hash: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id'),
    lastSeen: instant(),
    expires: instant(),
    flow: oneOf<PortalFlow>().strictNullable(),
    returnUrl: textColumn().strictNullable(),
  },
});

/** One text, or one for each language. */
export type PortalText = string | { [L in Language]?: string | undefined };

export interface PortalLink {
  label: PortalText;
  url: string;
}

/**
 * How a vendor's portal looks; no row: as by default. Its own table, since a logo is large and the vendor is read
 * often.
 */
export const PortalPreferences = defineEntity({
  name: 'PortalPreferences',
  tableName: 'portal_preferences',
  properties: {
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id').primary().deleteRule('no action').updateRule('no action'),
    plans: json<string[]>().strictNullable(),
    name: textColumn().strictNullable(),
    logoUrl: textColumn().strictNullable(),
    color: textColumn().strictNullable(),
    links: json<PortalLink[]>(),
    texts: json<Record<string, PortalText>>(),
    returnUrls: json<string[]>(),
  },
});
