import { defineEntity, type InferEntity } from '@mikro-orm/core';
import { flag, instant, json, serial, textColumn } from './columns.ts';

/** What is due when, for whom and why; written in the transaction of the fact it follows from. */
export const Agenda = defineEntity({
  name: 'Agenda',
  tableName: 'agenda',
  indexes: [
    { name: 'agenda_due_index', properties: ['dueAt', 'workflowId'], where: 'test_clock_id is null and not held' },
    { name: 'agenda_vendor_index', properties: ['vendorId', 'dueAt', 'id'], where: 'test_clock_id is null and not held' },
    { name: 'agenda_reminder_index', properties: ['testClockId', 'remindAt', 'contractId'], where: 'remind_at is not null and not held' },
    { properties: ['workflowId', 'dueAt'] },
    { name: 'agenda_clock_index', properties: ['testClockId', 'dueAt', 'contractId'], where: 'test_clock_id is not null' },
    { properties: ['contractId', 'dueAt'] },
    { properties: ['customerId', 'dueAt'] },
    {
      name: 'agenda_of_contract_index',
      expression:
        "create index agenda_of_contract_index on agenda ((detail ->> 'contract_id'), due_at) where detail ->> 'contract_id' is not null",
    },
  ],
  uniques: [{ name: 'agenda_subject_unique', properties: ['kind', 'subject'] }],
  properties: {
    id: serial().primary(),
    vendorId: textColumn(),
    customerId: textColumn(),
    contractId: textColumn().strictNullable(),
    testClockId: textColumn().strictNullable(),
    /**
     * the workflow that waits for the row: the root contract of its chain (of its invoice's chain), or `customer:{id}`
     */
    workflowId: textColumn(),
    kind: textColumn(),
    subject: textColumn(),
    dueAt: instant(),
    /** when a reminder is sent of the invoice that this brings; null: it has been sent, or none is */
    remindAt: instant().strictNullable(),
    /** can't run now, because its contract is parked; a freeze removes rows instead */
    held: flag().default(false),
    detail: json<Record<string, unknown>>(),
  },
});
export type AgendaRecord = InferEntity<typeof Agenda>;
