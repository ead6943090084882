import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Cycle } from '../../billing/calendar/cycle.ts';
import type { GivenPauseRules } from '../../billing/contract/period/pause-rules.ts';
import type { GivenChangeRules } from '../../billing/contract/terms/change-rules.ts';
import type { FeatureValue } from '../../billing/contract/terms/offer.ts';
import type { DiscountType } from '../../billing/contract/types.ts';
import type { PlanCredits } from '../../billing/credit/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { ChargeTrigger, PlanStrategy, Price } from '../../billing/pricing/price.ts';
import type { HeldPlan } from '../plan/plan.ts';
import { flag, id, instant, json, moneyColumn, oneOf, textColumn, whole } from './columns.ts';
import { Vendor } from './vendor.ts';

type CatalogueStatus = 'active' | 'archived';

export const Plan = defineEntity({
  name: 'Plan',
  tableName: 'plan',
  indexes: [{ properties: ['vendor', 'created', 'id'] }],
  uniques: [{ name: 'plan_slug_unique', properties: ['vendor', 'slug'] }],
  properties: {
    id: id(),
    vendor: () => p.manyToOne(Vendor).ref(),
    slug: textColumn(),
    internalName: textColumn(),
    externalName: textColumn().strictNullable(),
    description: textColumn().strictNullable(),
    strategy: oneOf<PlanStrategy>(),
    freeTrialDays: whole().default(0),
    metadata: json<Record<string, string>>(),
    changeRules: json<GivenChangeRules>().defaultRaw(`'{}'`),
    pauseRules: json<GivenPauseRules>().defaultRaw(`'{}'`),
    status: oneOf<CatalogueStatus>().default('active'),
    created: instant(),
    features: () => p.oneToMany(Feature).mappedBy('plan').orderBy({ position: 'asc', id: 'asc' }),
    pricings: () => p.oneToMany(Pricing).mappedBy('plan').orderBy({ position: 'asc', id: 'asc' }),
  },
});

export type PlanRecord = InferEntity<typeof Plan>;

/** A feature that is archived keeps its row, so that it has the same slug and id if it comes back. */
export const Feature = defineEntity({
  name: 'Feature',
  tableName: 'feature',
  indexes: [
    { properties: ['vendor', 'slug'] },
    { name: 'feature_sold_index', properties: ['plan', 'position', 'id'], where: 'not archived' },
  ],
  uniques: [{ name: 'feature_slug_unique', properties: ['plan', 'slug'] }],
  properties: {
    id: id(),
    vendor: () => p.manyToOne(Vendor).ref(),
    plan: () => p.manyToOne(Plan).ref(),
    slug: textColumn(),
    name: textColumn(),
    chargeTrigger: oneOf<ChargeTrigger>(),
    group: textColumn().strictNullable().fieldName('group_name'),
    value: json<FeatureValue>().strictNullable(),
    position: whole().default(0),
    archived: flag().default(false),
  },
});

/**
 * A plan's prices for one currency and cycle. Editing a plan retires the old row (`active` false): contracts keep
 * pointing at it.
 */
export const Pricing = defineEntity({
  name: 'Pricing',
  tableName: 'pricing',
  indexes: [{ properties: ['plan'] }, { properties: ['vendor'] }],
  uniques: [{ name: 'pricing_currency_cycle_unique', properties: ['plan', 'currency', 'cycle'], where: 'active' }],
  properties: {
    id: id(),
    vendor: () => p.manyToOne(Vendor).ref(),
    plan: () => p.manyToOne(Plan).ref(),
    currency: oneOf<Currency>(),
    cycle: oneOf<Cycle>(),
    freeCycles: whole().default(0),
    price: json<Price>().strictNullable(),
    features: json<Record<string, Price>>(),
    groups: json<Record<string, Price>>(),
    credits: json<PlanCredits>().strictNullable(),
    position: whole().default(0),
    active: flag().default(true),
    created: instant(),
  },
});

/**
 * What a plan held from an instant on, written when it is made and with each update that changes it. Numbered from 1.
 */
export const PlanVersion = defineEntity({
  name: 'PlanVersion',
  tableName: 'plan_version',
  indexes: [{ properties: ['vendor'] }],
  properties: {
    plan: () => p.manyToOne(Plan).ref().primary(),
    number: whole().primary(),
    vendor: () => p.manyToOne(Vendor).ref(),
    began: instant(),
    held: json<HeldPlan>(),
  },
});

export const Discount = defineEntity({
  name: 'Discount',
  tableName: 'discount',
  indexes: [{ properties: ['vendor', 'created', 'id'] }],
  uniques: [{ name: 'discount_slug_unique', properties: ['vendor', 'slug'] }],
  properties: {
    id: id(),
    vendor: () => p.manyToOne(Vendor).ref(),
    slug: textColumn(),
    name: textColumn(),
    type: oneOf<DiscountType>().fieldName('discount_type'),
    amount: moneyColumn(),
    duration: whole(),
    currency: oneOf<Currency>().strictNullable(),
    status: oneOf<CatalogueStatus>().default('active'),
    created: instant(),
  },
});
export type DiscountRecord = InferEntity<typeof Discount>;
