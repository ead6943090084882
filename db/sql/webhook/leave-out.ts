import type { Queryable } from '../../connect.ts';

/** Leaves an event out. SQL: two writes in one statement. */
export async function leaveOut(tx: Queryable, endpointId: string, { seq, objectId }: { seq: string; objectId: string }): Promise<void> {
  await tx.query(
    `with skipped as (insert into webhook_skip (endpoint_id, event_seq) values ($1, $2) on conflict do nothing)
     update webhook_backlog set attempts = 0, failures = 0, failing_since = null, next_try = clock_timestamp()
     where endpoint_id = $1 and lane = $3 and event_seq = $2`,
    [endpointId, seq, objectId],
  );
}
