import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Instant } from '../../billing/calendar/instant.ts';
import { big, flag, id, instant, json, oneOf, serial, textArray, textColumn, whole } from './columns.ts';
import { Vendor } from './vendor.ts';

/** Deleted endpoints are shown to nobody; their rows are deleted later. */
export type EndpointStatus = 'active' | 'paused' | 'deleted';

/** A secret that was replaced: it signs beside the present one until its time ends, so receivers can change over. */
export interface FormerSecret {
  /** sealed */
  secret: string;
  until: Instant;
}

/** An address of a vendor that its events are sent to. */
export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  indexes: [{ properties: ['vendorId', 'created', 'id'] }],
  properties: {
    id: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    created: instant(),
    url: textColumn(),
    /** the types of events that are sent; none: all */
    types: textArray(),
    description: textColumn().strictNullable(),
    status: oneOf<EndpointStatus>().default('active'),
    pausedReason: textColumn().strictNullable(),
    /** sealed */
    secret: textColumn(),
    /** the one that was replaced last first */
    formerSecrets: json<FormerSecret[]>().default([]),
    /** the number of the event up to which the log was read for it */
    readSeq: big(),
    /** the number of the last event that its workflow was signalled for */
    notifiedSeq: big().defaultRaw('0'),
    /** until then its workflow looks at the log by itself and needs no message */
    busyUntil: instant().strictNullable(),
    /** it was opened, and some events that had failed before still wait for the next try that was planned then */
    opens: flag().default(false),
  },
});
export type WebhookEndpointRecord = InferEntity<typeof WebhookEndpoint>;

/** What is sent of an event: made once, the same for all endpoints of the vendor and at each try. */
export const EventBody = defineEntity({
  name: 'EventBody',
  tableName: 'event_body',
  indexes: [{ properties: ['customerId'] }, { properties: ['objectId'] }],
  properties: {
    eventSeq: big().primary().autoincrement(false),
    vendorId: textColumn(),
    /** whose personal data may be in it */
    customerId: textColumn().strictNullable(),
    objectId: textColumn(),
    made: instant(),
    body: textColumn(),
  },
});

/**
 * The first event of an object that an endpoint hasn't got yet: the object's later ones wait behind it. An event that
 * is sent again on request has a lane of its own, named by its id.
 */
export const WebhookBacklog = defineEntity({
  name: 'WebhookBacklog',
  tableName: 'webhook_backlog',
  indexes: [
    { properties: ['endpoint', 'nextTry'] },
    { properties: ['endpoint', 'eventSeq'] },
    { name: 'webhook_backlog_failing_index', properties: ['endpoint', 'failingSince'], where: 'failures > 0' },
  ],
  properties: {
    endpoint: () => p.manyToOne(WebhookEndpoint).ref().primary(),
    lane: textColumn().primary(),
    objectId: textColumn(),
    eventSeq: big(),
    objectSequence: whole(),
    /** tries of this event that have failed */
    attempts: whole().default(0),
    /** those since the endpoint was last opened: the pause before the next one grows with them */
    failures: whole().default(0),
    failingSince: instant().strictNullable(),
    nextTry: instant(),
    /** how often it was asked for while it waited: an answer to an earlier request doesn't settle a later one */
    asked: whole().default(1),
  },
});

/** An event that an endpoint is never to get. */
export const WebhookSkip = defineEntity({
  name: 'WebhookSkip',
  tableName: 'webhook_skip',
  properties: {
    endpoint: () => p.manyToOne(WebhookEndpoint).ref().primary(),
    eventSeq: big().primary().autoincrement(false),
  },
});

/** The log of what was sent: one row a try. */
export const WebhookTry = defineEntity({
  name: 'WebhookTry',
  tableName: 'webhook_try',
  indexes: [{ properties: ['endpoint', 'id'] }, { properties: ['endpoint', 'eventId', 'id'] }, { properties: ['at'] }],
  properties: {
    id: serial().primary(),
    endpoint: () => p.manyToOne(WebhookEndpoint).ref(),
    eventId: textColumn(),
    at: instant(),
    attempt: whole(),
    status: oneOf<'delivered' | 'failed' | 'skipped'>(),
    statusCode: whole().strictNullable(),
    durationMs: whole(),
    error: textColumn().strictNullable(),
    /** the beginning of what a failing endpoint answered */
    answer: textColumn().strictNullable(),
  },
});
