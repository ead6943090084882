import { defineEntity } from '@mikro-orm/core';
import type { Caller } from '../transaction.ts';
import { big, id, instant, json, oneOf, seqIndex, textColumn } from './columns.ts';

/**
 * Who changed what: a row for each write of a caller, in the transaction of its facts. What time brings is in the log
 * of events, from whose sequence the rows take their numbers. A trigger refuses every change but that of an erasure.
 */
export const Audit = defineEntity({
  name: 'Audit',
  tableName: 'audit',
  indexes: [
    { properties: ['vendorId', 'seq'] },
    { properties: ['objectId', 'seq'] },
    { properties: ['callerId', 'seq'] },
    { name: 'audit_not_of_keys_index', properties: ['vendorId', 'callerType', 'seq'], where: "caller_type <> 'key'" },
    seqIndex('audit'),
  ],
  properties: {
    /** the writing transaction; the first column, so that a transaction has its id before a number */
    xid: big().defaultRaw('(pg_current_xact_id())::text::bigint').ignoreSchemaChanges('default'),
    id: id(),
    seq: big().defaultRaw(`nextval('event_seq_seq')`).ignoreSchemaChanges('default'),
    vendorId: textColumn(),
    at: instant().defaultRaw('clock_timestamp()').ignoreSchemaChanges('default'),
    callerType: oneOf<Caller['type']>(),
    callerId: textColumn().strictNullable(),
    /** the operation of the API, or the address of the portal */
    action: textColumn(),
    objectId: textColumn(),
    /** the former values of what changed in the object's own row; null: nothing, or it is new */
    before: json<Record<string, unknown>>().strictNullable(),
    /** what was asked for, and the new values of what changed */
    after: json<Record<string, unknown>>().strictNullable(),
  },
});
