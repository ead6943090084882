import { defineEntity } from '@mikro-orm/core';
import { id, instant, text } from './columns.ts';

export const PortalToken = defineEntity({
  name: 'PortalToken',
  tableName: 'portal_token',
  properties: {
    hash: id(),
    vendorId: text(),
    customerId: text(),
    created: instant(),
    expires: instant(),
    usedAt: instant().strictNullable(),
  },
});

export const PortalSession = defineEntity({
  name: 'PortalSession',
  tableName: 'portal_session',
  properties: { hash: id(), vendorId: text(), customerId: text(), lastSeen: instant(), expires: instant() },
});
