import { defineEntity, type InferEntity } from '@mikro-orm/core';
import type { Caller } from '../transaction.ts';
import { big, id, instant, json, oneOf, seqIndex, serial, textColumn, whole, writtenByIndex } from './columns.ts';

/** The log of what happened, written with the fact; webhooks are sent from it. */
export const Event = defineEntity({
  name: 'Event',
  tableName: 'event',
  indexes: [
    { properties: ['vendorId', 'seq'] },
    { properties: ['vendorId', 'type', 'seq'] },
    { name: 'event_timeline_index', properties: ['timelineOf', 'timestamp'], where: 'timeline_of is not null' },
    {
      name: 'event_freeze_index',
      properties: ['objectId', 'timestamp'],
      where: "type in ('v1.customer.frozen', 'v1.customer.activated')",
    },
    { name: 'event_of_system_index', properties: ['vendorId', 'seq'], where: "caller_type = 'system'" },
    writtenByIndex('event'),
    seqIndex('event'),
  ],
  uniques: [{ name: 'event_object_sequence_unique', properties: ['objectId', 'objectSequence'] }],
  properties: {
    /** the writing transaction; the first column, so that a transaction has its id before a number */
    xid: big().defaultRaw('(pg_current_xact_id())::text::bigint').ignoreSchemaChanges('default'),
    seq: serial(),
    id: id(),
    vendorId: textColumn(),
    type: textColumn(),
    objectId: textColumn(),
    objectSequence: whole(),
    timestamp: instant(),
    data: json<Record<string, unknown>>(),
    /** who brought it about: caller, timer, bill_run, clock or provider */
    actor: textColumn(),
    /** who asked for it: the id of a key, or of the customer in the portal */
    callerType: oneOf<Caller['type']>().default('system'),
    callerId: textColumn().strictNullable(),
    /** the contract whose timeline shows it: its own, that of the invoice, or that whose plan gave the credits */
    timelineOf: textColumn().strictNullable(),
  },
});
export type EventRow = InferEntity<typeof Event>;

/**
 * One row: how far the log is settled. Every event up to `settledSeq` is committed or never will be; once all
 * transactions before `xid` have ended, this holds up to `seq`.
 */
export const EventMark = defineEntity({
  name: 'EventMark',
  tableName: 'event_mark',
  checks: [{ name: 'event_mark_one_check', expression: 'id = 1' }],
  properties: {
    id: whole().primary().autoincrement(false).default(1),
    seq: big().defaultRaw('0'),
    xid: big().defaultRaw('0'),
    settledSeq: big().defaultRaw('0'),
  },
});

/** The number of an object's last event, where all of its events are deleted: its next one counts on from there. */
export const EventCount = defineEntity({
  name: 'EventCount',
  tableName: 'event_count',
  properties: { objectId: textColumn().primary(), sequence: whole() },
});

/** Where a vendor's log begins, once events of it are deleted: behind the event with this number and id. */
export const EventLogStart = defineEntity({
  name: 'EventLogStart',
  tableName: 'event_log_start',
  properties: { vendorId: textColumn().primary(), seq: big(), lastId: textColumn() },
});
