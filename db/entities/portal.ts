import { defineEntity, p } from '@mikro-orm/core';
import { id, instant } from './columns.ts';
import { Customer } from './customer.ts';
import { Vendor } from './vendor.ts';

export const PortalToken = defineEntity({
  name: 'PortalToken',
  tableName: 'portal_token',
  properties: {
    hash: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id'),
    created: instant(),
    expires: instant(),
    usedAt: instant().strictNullable(),
  },
});

export const PortalSession = defineEntity({
  name: 'PortalSession',
  tableName: 'portal_session',
  properties: {
    hash: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id'),
    lastSeen: instant(),
    expires: instant(),
  },
});
