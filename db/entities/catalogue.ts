import { defineEntity, type InferEntity } from '@mikro-orm/core';
import type { Price } from '../../billing/pricing/price.ts';
import { flag, id, instant, json, money, text, whole } from './columns.ts';

export const Plan = defineEntity({
  name: 'Plan',
  tableName: 'plan',
  indexes: [{ properties: ['vendorId', 'created', 'id'] }],
  uniques: [{ name: 'plan_slug_unique', properties: ['vendorId', 'slug'] }],
  properties: {
    id: id(),
    vendorId: text(),
    slug: text(),
    internalName: text(),
    externalName: text().strictNullable(),
    description: text().strictNullable(),
    strategy: text(),
    freeTrialDays: whole().default(0),
    metadata: json<Record<string, string>>(),
    status: text().default('active'),
    created: instant(),
  },
});

export const Feature = defineEntity({
  name: 'Feature',
  tableName: 'feature',
  indexes: [{ properties: ['vendorId', 'slug'] }],
  uniques: [{ name: 'feature_slug_unique', properties: ['planId', 'slug'] }],
  properties: {
    id: id(),
    vendorId: text(),
    planId: text(),
    slug: text(),
    name: text(),
    chargeTrigger: text(),
    groupName: text().strictNullable(),
    position: whole().default(0),
    archived: flag().default(false),
  },
});

/** A plan's prices for one currency and cycle. Editing a plan retires the old row (`active` false): contracts keep pointing at it. */
export const Pricing = defineEntity({
  name: 'Pricing',
  tableName: 'pricing',
  indexes: [{ properties: ['planId'] }, { properties: ['vendorId'] }],
  uniques: [{ name: 'pricing_currency_cycle_unique', properties: ['planId', 'currency', 'cycle'], where: 'active' }],
  properties: {
    id: id(),
    vendorId: text(),
    planId: text(),
    currency: text(),
    cycle: text(),
    freeCycles: whole().default(0),
    price: json<Price>().strictNullable(),
    features: json<Record<string, Price>>(),
    groups: json<Record<string, Price>>(),
    position: whole().default(0),
    active: flag().default(true),
    created: instant(),
  },
});

export const Discount = defineEntity({
  name: 'Discount',
  tableName: 'discount',
  indexes: [{ properties: ['vendorId', 'created', 'id'] }],
  uniques: [{ name: 'discount_slug_unique', properties: ['vendorId', 'slug'] }],
  properties: {
    id: id(),
    vendorId: text(),
    slug: text(),
    name: text(),
    discountType: text(),
    amount: money(),
    duration: whole(),
    currency: text().strictNullable(),
    status: text().default('active'),
    created: instant(),
  },
});
export type DiscountRow = InferEntity<typeof Discount>;
