import { defineEntity } from '@mikro-orm/core';
import { instant, json, serial, text, whole } from './columns.ts';

/** What is due when, for whom and why; written in the transaction of the fact it follows from. */
export const Agenda = defineEntity({
  name: 'Agenda',
  tableName: 'agenda',
  indexes: [
    { name: 'agenda_wall_index', properties: ['dueAt', 'contractId'], where: 'test_clock_id is null' },
    { name: 'agenda_clock_index', properties: ['testClockId', 'dueAt'], where: 'test_clock_id is not null' },
    { properties: ['contractId', 'dueAt'] },
    { properties: ['customerId'] },
  ],
  uniques: [{ name: 'agenda_subject_unique', properties: ['kind', 'subject'] }],
  properties: {
    id: serial().primary(),
    vendorId: text(),
    customerId: text(),
    contractId: text().nullable(),
    testClockId: text().nullable(),
    kind: text(),
    subject: text(),
    dueAt: instant(),
    detail: json<Record<string, unknown>>(),
  },
});

/** A wish to start or wake a workflow, kept until a day after it is delivered. */
export const Wish = defineEntity({
  name: 'Wish',
  tableName: 'wish',
  indexes: [
    { name: 'wish_open_index', properties: ['tries', 'nextTry'], where: 'delivered_at is null' },
    { name: 'wish_waiting_index', properties: ['workflowId'], where: 'delivered_at is null' },
  ],
  properties: {
    id: serial().primary(),
    kind: text(),
    workflowId: text(),
    payload: json<Record<string, unknown>>(),
    created: instant(),
    deliveredAt: instant().nullable(),
    tries: whole().default(0),
    nextTry: instant().defaultRaw('now()'),
    failure: text().nullable(),
  },
});
