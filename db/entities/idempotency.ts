import { defineEntity } from '@mikro-orm/core';
import { flag, instant, json, textColumn, whole } from './columns.ts';

/** The lease and the stored response of a request with an Idempotency-Key. */
export const Idempotency = defineEntity({
  name: 'Idempotency',
  tableName: 'idempotency',
  indexes: [{ properties: ['created'] }, { name: 'idempotency_subject_index', properties: ['subject'], where: 'subject is not null' }],
  properties: {
    vendorId: textColumn().primary(),
    operation: textColumn().primary(),
    key: textColumn().primary(),
    /** the id that the path of the request names first: with an erased customer its responses go */
    subject: textColumn().strictNullable(),
    bodyHash: textColumn(),
    leasedUntil: instant(),
    responseStatus: whole().strictNullable(),
    responseBody: textColumn().strictNullable(),
    responseHeaders: json<Record<string, string>>().strictNullable(),
    secret: flag().default(false),
    created: instant(),
    /** true once the effect of a request is made whose response comes later */
    effectMade: flag().default(false),
    /** id of what it made, where a repeat has to find it */
    effect: textColumn().strictNullable(),
  },
});
