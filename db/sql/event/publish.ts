import type { Instant } from '../../../billing/calendar/instant.ts';
import type { MoneyEventType, PlainEventType } from '../../../billing/event-types.ts';
import { newId } from '../../id.ts';
import { stamp } from '../../rows.ts';
import type { Tx } from '../../transaction.ts';

interface AnyEvent {
  vendorId: string;
  objectId: string;
  at: Instant;
  data: Record<string, unknown>;
}

export type PublishedEvent = AnyEvent &
  (
    | {
        type: MoneyEventType;
        /** whose invoice or credits they are; null: of no contract */
        contractId: string | null;
      }
    | { type: PlainEventType; contractId?: never }
  );

/** Those whose object is a contract. A timeline leaves renewals out, since the period that began stands there. */
const OF_CONTRACT = /^v1[.](contract|trial|usage_period|invoice[.]upcoming)\b/;
const timelineOf = ({ type, objectId, contractId = null }: PublishedEvent): string | null =>
  OF_CONTRACT.test(type) && type !== 'v1.contract.renewed' ? objectId : contractId;

/**
 * Appends to the log of events, in the transaction of the fact. Each object counts its own events from 1; the code that
 * publishes for an object has its row locked, so that the numbers have no gaps and no duplicates. SQL, because a batch
 * appends hundreds of events in one statement that numbers them.
 */
export async function publish(tx: Tx, events: readonly PublishedEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event, position) => ({
    position,
    id: newId('Evt'),
    vendor_id: event.vendorId,
    type: event.type,
    object_id: event.objectId,
    timestamp: stamp(event.at),
    data: { ...event.data, id: event.objectId },
    timeline_of: timelineOf(event),
  }));
  await tx.query(
    `insert into event (id, vendor_id, type, object_id, object_sequence, timestamp, data, timeline_of, actor, caller_type, caller_id)
     select x.id, x.vendor_id, x.type, x.object_id,
       coalesce((select max(e.object_sequence) from event e where e.object_id = x.object_id),
           (select c.sequence from event_count c where c.object_id = x.object_id), 0)
         + row_number() over (partition by x.object_id order by x.position),
       x.timestamp, x.data, x.timeline_of, $2, $3, $4
     from jsonb_to_recordset($1::jsonb)
       as x(position int, id text, vendor_id text, type text, object_id text, timestamp timestamptz, data jsonb, timeline_of text)
     order by x.position`,
    [JSON.stringify(rows), tx.actor, tx.caller.type, tx.caller.id],
  );
}
