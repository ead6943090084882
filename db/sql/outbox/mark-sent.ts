import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp, stampOrNull } from '../../rows.ts';
import type { WorkflowMessage } from '../../transaction.ts';
import { ENDED_LEASE, inOrderOf, type LeasedMessage } from './leased-message.ts';

/** A run that has been started and waits for its first instant. */
export interface WaitingRun {
  beginsAt: Instant;
  /** the number of the latest event known when the workflow was started */
  seen: string;
}

export interface SentMessage {
  message: LeasedMessage;
  /** the run that waits then; null: it has begun, or may have */
  waits: WaitingRun | null;
}

/**
 * Notes what was sent, and the runs that wait then, and ends the leases. Of a lease that was lost
 * meanwhile nothing is known of the run. SQL, because one statement does it for all messages of a round, each with the
 * `wanted` that was read when it was leased.
 *
 * @returns those that were asked for again meanwhile
 */
export function markSent(db: Queryable, sent: readonly SentMessage[]): Promise<WorkflowMessage[]> {
  if (sent.length === 0) return Promise.resolve([]);
  return db.query<WorkflowMessage>(
    `with given as (
       select * from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[], $5::timestamptz[], $6::bigint[])
         as x(kind, workflow_id, wanted, lease, begins_at, seen)
     ), held as materialized (
       ${inOrderOf('given')}
     ), marked as (
       update outbox o set sent = greatest(o.sent, x.wanted), sent_at = clock_timestamp(), tries = 0, failure = null,
         ${ENDED_LEASE},
         begins_at = case when o.leased_until = x.lease then x.begins_at end, seen = case when o.leased_until = x.lease then x.seen end
       from held join given x using (kind, workflow_id)
       where o.kind = held.kind and o.workflow_id = held.workflow_id
       returning o.kind, o.workflow_id, o.sent, o.wanted
     )
     select kind, workflow_id as "workflowId" from marked where sent < wanted`,
    [
      sent.map(({ message }) => message.kind),
      sent.map(({ message }) => message.workflowId),
      sent.map(({ message }) => message.wanted),
      sent.map(({ message }) => stamp(message.lease)),
      sent.map(({ waits }) => stampOrNull(waits?.beginsAt)),
      sent.map(({ waits }) => waits?.seen ?? null),
    ],
  );
}
