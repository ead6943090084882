import type { Queryable } from '../connect.ts';
import type { OutboxMessage } from '../transaction.ts';

/** A message in the hands of one dispatcher until its lease ends. */
export interface LeasedMessage extends OutboxMessage {
  /** what was wanted of the row when it was leased; later requests leave it open */
  wanted: string;
  /** how often sending it has failed in a row */
  tries: number;
  /** it has never been sent: the workflow may have to be started */
  isFirst: boolean;
}

const LEASE = `interval '15 seconds'`;
const RETURNING = 'o.kind, o.workflow_id as "workflowId", o.wanted::text as wanted, o.tries, o.sent = 0 as "isFirst"';
const FREE = 'o.sent < o.wanted and (o.leased_until is null or o.leased_until < clock_timestamp())';

/** Leases those of some messages that are open and leased by nobody. */
export function leaseThese(db: Queryable, messages: readonly OutboxMessage[]): Promise<LeasedMessage[]> {
  return db.query<LeasedMessage>(
    `update outbox o set leased_until = clock_timestamp() + ${LEASE}
     from unnest($1::text[], $2::text[]) as m(kind, workflow_id)
     where o.kind = m.kind and o.workflow_id = m.workflow_id and ${FREE} returning ${RETURNING}`,
    [messages.map(({ kind }) => kind), messages.map(({ workflowId }) => workflowId)],
  );
}

/** Leases open messages whose time has come, those that wait longest first. */
export function leaseDue(db: Queryable, limit: number): Promise<LeasedMessage[]> {
  return db.query<LeasedMessage>(
    `update outbox o set leased_until = clock_timestamp() + ${LEASE}
     where (o.kind, o.workflow_id) in (
       select kind, workflow_id from outbox o where o.next_try <= clock_timestamp() and ${FREE} order by o.next_try limit $1 for update skip locked
     ) returning ${RETURNING}`,
    [limit],
  );
}

/**
 * Notes what was sent and ends the leases.
 *
 * @returns those that were asked for again meanwhile
 */
export function markSent(db: Queryable, sent: readonly LeasedMessage[]): Promise<OutboxMessage[]> {
  if (sent.length === 0) return Promise.resolve([]);
  return db.query<OutboxMessage>(
    `with marked as (
       update outbox o set sent = greatest(o.sent, x.wanted), sent_at = clock_timestamp(), leased_until = null, tries = 0, failure = null
       from unnest($1::text[], $2::text[], $3::bigint[]) as x(kind, workflow_id, wanted)
       where o.kind = x.kind and o.workflow_id = x.workflow_id
       returning o.kind, o.workflow_id, o.sent, o.wanted
     )
     select kind, workflow_id as "workflowId" from marked where sent < wanted`,
    [sent.map(({ kind }) => kind), sent.map(({ workflowId }) => workflowId), sent.map(({ wanted }) => wanted)],
  );
}

export interface FailedMessage {
  message: LeasedMessage;
  failure: string;
  pauseMs: number;
}

/** Puts off what could not be sent, each for its own time. */
export async function putOff(db: Queryable, failed: readonly FailedMessage[]): Promise<void> {
  if (failed.length === 0) return;
  await db.query(
    `update outbox o set tries = o.tries + 1, failure = x.failure, leased_until = null, next_try = clock_timestamp() + x.pause * interval '1 millisecond'
     from unnest($1::text[], $2::text[], $3::text[], $4::int[]) as x(kind, workflow_id, failure, pause)
     where o.kind = x.kind and o.workflow_id = x.workflow_id`,
    [
      failed.map(({ message }) => message.kind),
      failed.map(({ message }) => message.workflowId),
      failed.map(({ failure }) => failure),
      failed.map(({ pauseMs }) => pauseMs),
    ],
  );
}
