import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { ENDED_LEASE, inOrderOf, type LeasedMessage } from './leased-message.ts';

export interface FailedMessage {
  message: LeasedMessage;
  failure: string;
  pauseMs: number;
}

/** Puts off what could not be sent, each for its own time. SQL, because one statement does it for all of a round. */
export async function putOff(db: Queryable, failed: readonly FailedMessage[]): Promise<void> {
  if (failed.length === 0) return;
  await db.query(
    `with given as (
       select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::int[]) as x(kind, workflow_id, lease, failure, pause)
     ), held as materialized (
       ${inOrderOf('given')}
     )
     update outbox o set tries = o.tries + 1, failure = x.failure, begins_at = null, seen = null, ${ENDED_LEASE},
       next_try = clock_timestamp() + x.pause * interval '1 millisecond'
     from held join given x using (kind, workflow_id)
     where o.kind = held.kind and o.workflow_id = held.workflow_id`,
    [
      failed.map(({ message }) => message.kind),
      failed.map(({ message }) => message.workflowId),
      failed.map(({ message }) => stamp(message.lease)),
      failed.map(({ failure }) => failure),
      failed.map(({ pauseMs }) => pauseMs),
    ],
  );
}
