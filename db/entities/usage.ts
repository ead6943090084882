import { defineEntity, p } from '@mikro-orm/core';
import type { UsagePeriod } from '../../billing/contract/types.ts';
import {
  big,
  flag,
  id,
  inside,
  instant,
  json,
  moneyColumn,
  oneOf,
  serial,
  textColumn,
  whole,
  writtenBy,
  writtenByIndex,
} from './columns.ts';

const PeriodKey = defineEntity({ name: 'PeriodKey', embeddable: true, properties: { contractId: textColumn(), idx: whole() } });

/** Billing bounds `start`–`end`, the part spent on the contract `from`–`until`. idx 0 is the free trial. */
export const UsagePeriodRecord = defineEntity({
  name: 'UsagePeriodRecord',
  tableName: 'usage_period',
  indexes: [
    {
      name: 'usage_period_follows_index',
      properties: [inside('follows.contractId'), inside('follows.idx')],
      where: 'follows_contract_id is not null',
    },
    { name: 'usage_period_open_index', properties: ['contractId', 'idx'], where: `status <> 'closed'` },
    { properties: ['contractId', 'from'] },
    { name: 'usage_period_closed_index', properties: ['contractId', 'closedAt'], where: 'closed_at is not null' },
    {
      name: 'usage_period_running_index',
      properties: ['contractId', 'idx'],
      where: `status <> 'closed' and (status = 'open' or closes_at is not null)`,
    },
  ],
  properties: {
    contractId: textColumn().primary(),
    idx: whole().primary(),
    start: instant().fieldName('start_at'),
    end: instant().fieldName('end_at').strictNullable(),
    from: instant().fieldName('usage_from'),
    until: instant().fieldName('usage_until').strictNullable(),
    closesAt: instant().strictNullable(),
    status: oneOf<UsagePeriod['status']>().default('open'),
    closedAt: instant().strictNullable(),
    /** has a marker (`is_absolute`): its counters are no longer plain sums */
    marked: flag().default(false),
    /** the period of the contract before that a change ended inside the billing period: counters go on from it */
    follows: p.embedded(PeriodKey).prefix('follows_').strictNullable(),
    /** sources whose usage goes on, as one sum, in the period that follows */
    goesOn: json<string[]>().default([]),
  },
});

/** Events lie in a partition for each month of arrival, which their ids tell (`db/usage/months-from.ts`). */
export const UsageEvent = defineEntity({
  name: 'UsageEvent',
  tableName: 'usage_event',
  indexes: [
    { name: 'usage_event_period_index', properties: ['contractId', 'periodIdx', 'featureSlug', 'timestamp', 'seq'] },
    {
      name: 'usage_event_marker_index',
      properties: ['contractId', 'periodIdx', 'featureSlug', 'timestamp', 'seq'],
      where: 'is_absolute',
    },
    { properties: ['vendorId', 'timestamp', 'id'] },
    { properties: ['customerId', 'timestamp', 'id'] },
    writtenByIndex('usage_event'),
  ],
  properties: {
    id: id(),
    seq: serial(),
    vendorId: textColumn(),
    customerId: textColumn(),
    contractId: textColumn(),
    periodIdx: whole(),
    featureSlug: textColumn(),
    units: moneyColumn(),
    isAbsolute: flag().default(false),
    timestamp: instant(),
    arrivedAt: instant(),
    metadata: json<Record<string, string>>(),
    discardedAt: instant().nullable(),
    allowCorrection: flag().default(false),
    /** recorded or altered after its period was closed */
    corrected: flag().default(false),
    xid: writtenBy(),
  },
});

/** The idempotency keys of events. */
export const UsageKey = defineEntity({
  name: 'UsageKey',
  tableName: 'usage_key',
  properties: { vendorId: textColumn().primary(), key: textColumn().primary(), eventId: textColumn() },
});

export const UsageEventHistory = defineEntity({
  name: 'UsageEventHistory',
  tableName: 'usage_event_history',
  indexes: [{ properties: ['eventId', 'id'] }],
  properties: {
    id: serial().primary(),
    eventId: textColumn(),
    at: instant(),
    kind: textColumn(),
    unitsBefore: moneyColumn(),
    unitsAfter: moneyColumn().nullable(),
    notes: textColumn().nullable(),
    keyId: textColumn().nullable(),
  },
});

/**
 * Running sums of a usage period and feature, kept by the transaction that writes an event: reads, estimates and
 * invoices read them, so that they cost the same however many events there are.
 */
export const UsageCounter = defineEntity({
  name: 'UsageCounter',
  tableName: 'usage_counter',
  properties: {
    contractId: textColumn().primary(),
    periodIdx: whole().primary(),
    featureSlug: textColumn().primary(),
    /** of the billing period so far, those counted in it before a change included */
    units: moneyColumn(),
    events: big().default('0'),
    /** of this period's own events: from the last marker on where there is one, the marker included */
    ownUnits: moneyColumn().default('0'),
    ownEvents: big().default('0'),
    /** all events, also those that count no more: how many a list has is summed from here */
    listed: big().default('0'),
    /** units and instant of the last marker */
    marker: moneyColumn().nullable(),
    markerAt: instant().nullable(),
    /** no event that counts is later; an event that was discarded may have been the latest */
    latestAt: instant().nullable(),
    /** up to this count usage surely stays below the contract's invoice threshold; null: not known */
    roomTo: moneyColumn().nullable(),
    /** names the state of the contract that `roomTo` holds in */
    roomIn: textColumn().nullable(),
  },
});

/** A correction to closed usage that waits for the next invoice of the chain's live contract (`settledAt` null). */
export const UsageCorrectionRecord = defineEntity({
  name: 'UsageCorrectionRecord',
  tableName: 'usage_correction',
  uniques: [
    { name: 'usage_correction_unique', properties: ['contractId', 'periodIdx', 'featureSlug', 'occasion'] },
    // a waiting correction is computed when it is charged, so one row covers everything that is corrected until then
    { name: 'usage_correction_open_unique', properties: ['contractId', 'periodIdx', 'featureSlug'], where: 'settled_at is null' },
  ],
  indexes: [{ name: 'usage_correction_root_open_index', properties: ['rootId'], where: 'settled_at is null' }],
  properties: {
    id: serial().primary(),
    contractId: textColumn(),
    /** the chain, by its first contract */
    rootId: textColumn(),
    periodIdx: whole(),
    featureSlug: textColumn(),
    occasion: textColumn(),
    created: instant(),
    settledAt: instant().nullable(),
  },
});
