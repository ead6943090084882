import type { Queryable } from '../../connect.ts';
import type { WorkflowMessage } from '../../transaction.ts';
import { inOrderOf, type LeasedMessage } from './leased-message.ts';

/**
 * Notes what was sent and ends the leases. SQL, because one statement does it for all messages of a round, each with
 * the `wanted` that was read when it was leased.
 *
 * @returns those that were asked for again meanwhile
 */
export function markSent(db: Queryable, sent: readonly LeasedMessage[]): Promise<WorkflowMessage[]> {
  if (sent.length === 0) return Promise.resolve([]);
  return db.query<WorkflowMessage>(
    `with given as (
       select * from unnest($1::text[], $2::text[], $3::bigint[]) as x(kind, workflow_id, wanted)
     ), held as materialized (
       ${inOrderOf('given')}
     ), marked as (
       update outbox o set sent = greatest(o.sent, x.wanted), sent_at = clock_timestamp(), leased_until = null, tries = 0, failure = null
       from held join given x using (kind, workflow_id)
       where o.kind = held.kind and o.workflow_id = held.workflow_id
       returning o.kind, o.workflow_id, o.sent, o.wanted
     )
     select kind, workflow_id as "workflowId" from marked where sent < wanted`,
    [sent.map(({ kind }) => kind), sent.map(({ workflowId }) => workflowId), sent.map(({ wanted }) => wanted)],
  );
}
