import type { Queryable } from '../../connect.ts';

interface Place {
  seq: string;
  id: string;
  objectId: string;
  sequence: number;
}

/**
 * Makes an event due now: outside the order of its object, or at its place in that order if the endpoint still waits
 * for it. SQL: the statement decides between the two.
 */
export async function sendAgain(
  tx: Queryable,
  endpointId: string,
  isAwaited: boolean,
  { seq, id, objectId, sequence }: Place,
): Promise<void> {
  await tx.query(
    `with due as (update webhook_backlog set next_try = clock_timestamp() where $6 and endpoint_id = $1 and lane = $3)
     insert into webhook_backlog as b (endpoint_id, lane, object_id, event_seq, object_sequence, next_try)
     select $1, $2, $3, $4, $5, clock_timestamp() where not $6
     on conflict (endpoint_id, lane) do update set next_try = excluded.next_try, asked = b.asked + 1`,
    [endpointId, id, objectId, seq, sequence, isAwaited],
  );
}
