import type { Queryable } from '../../connect.ts';

/**
 * Adds the objects of events to an endpoint's backlog, unless an earlier event of the object waits there already. SQL,
 * because one statement does it for a page of the log.
 */
export async function addToBacklog(
  tx: Queryable,
  endpointId: string,
  events: readonly { objectId: string; seq: string; sequence: number }[],
): Promise<void> {
  if (events.length === 0) return;
  await tx.query(
    `insert into webhook_backlog (endpoint_id, lane, object_id, event_seq, object_sequence, next_try)
     select $1, x.object_id, x.object_id, min(x.seq), min(x.sequence), clock_timestamp()
       from unnest($2::text[], $3::bigint[], $4::int[]) as x(object_id, seq, sequence) group by x.object_id order by 2
     on conflict (endpoint_id, lane) do nothing`,
    [endpointId, events.map(({ objectId }) => objectId), events.map(({ seq }) => seq), events.map(({ sequence }) => sequence)],
  );
}
