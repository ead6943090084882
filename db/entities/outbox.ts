import { defineEntity } from '@mikro-orm/core';
import type { TraceHeaders } from '../../config/tracing.ts';
import { big, instant, json, textColumn, whole } from './columns.ts';

/**
 * A message to a workflow, written with the fact it must follow from. It counts, so that one enqueued while another is
 * being sent isn't lost: open while `sent` is below `wanted`.
 */
export const OutboxMessage = defineEntity({
  name: 'OutboxMessage',
  tableName: 'outbox',
  indexes: [
    { name: 'outbox_open_index', properties: ['nextTry'], where: 'sent < wanted' },
    { name: 'outbox_forget_index', expression: 'create index outbox_forget_index on outbox (greatest(sent_at, begins_at))' },
  ],
  properties: {
    kind: textColumn().primary(),
    workflowId: textColumn().primary(),
    /** raised by each enqueue */
    wanted: big().defaultRaw('1'),
    /** the `wanted` that the dispatcher read before it last sent */
    sent: big().defaultRaw('0'),
    tries: whole().default(0),
    nextTry: instant().defaultRaw('now()'),
    /** the dispatcher that leased the row until then is sending it */
    leasedUntil: instant().strictNullable(),
    failure: textColumn().strictNullable(),
    created: instant().defaultRaw('now()'),
    sentAt: instant().strictNullable(),
    /** where the latest transaction that wanted it was in its trace */
    trace: json<TraceHeaders>().strictNullable(),
    /** when the run that was started last begins its first task; null: it has begun, or may have */
    beginsAt: instant().strictNullable(),
    /** where it hasn't: the number of the latest event known when the workflow was started */
    seen: big().strictNullable(),
  },
});
