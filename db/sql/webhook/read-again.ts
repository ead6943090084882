import type { Queryable } from '../../connect.ts';

/**
 * Lets an endpoint read the log again from behind an event. Events found behind it are deleted, since reading finds
 * them again; those that wait from before stay. SQL, because it may be thousands of rows.
 */
export async function readAgain(tx: Queryable, endpointId: string, seq: string): Promise<void> {
  await tx.query(
    `with found as (delete from webhook_backlog where endpoint_id = $1 and event_seq > $2 and lane = object_id),
       skipped as (delete from webhook_skip where endpoint_id = $1 and event_seq > $2)
     update webhook_endpoint set read_seq = least(read_seq, $2), notified_seq = least(notified_seq, $2) where id = $1`,
    [endpointId, seq],
  );
}
