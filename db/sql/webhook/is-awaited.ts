import type { Queryable } from '../../connect.ts';
import { WANTED } from './wanted.ts';

/**
 * Whether an endpoint is still to get an event in its object's order. SQL: the event's number is compared with two
 * places.
 */
export async function isAwaited(tx: Queryable, endpointId: string, eventId: string): Promise<boolean> {
  const [row] = await tx.query<{ awaited: boolean }>(
    `select ${WANTED} and (e.seq > w.read_seq or exists (
       select 1 from webhook_backlog b where b.endpoint_id = w.id and b.lane = e.object_id and b.event_seq <= e.seq)) as awaited
     from webhook_endpoint w, event e where w.id = $1 and e.id = $2`,
    [endpointId, eventId],
  );
  return row?.awaited ?? false;
}
