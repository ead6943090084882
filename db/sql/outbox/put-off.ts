import type { Queryable } from '../../connect.ts';
import { inOrderOf, type LeasedMessage } from './leased-message.ts';

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
       select * from unnest($1::text[], $2::text[], $3::text[], $4::int[]) as x(kind, workflow_id, failure, pause)
     ), held as materialized (
       ${inOrderOf('given')}
     )
     update outbox o set tries = o.tries + 1, failure = x.failure, leased_until = null,
       next_try = clock_timestamp() + x.pause * interval '1 millisecond'
     from held join given x using (kind, workflow_id)
     where o.kind = held.kind and o.workflow_id = held.workflow_id`,
    [
      failed.map(({ message }) => message.kind),
      failed.map(({ message }) => message.workflowId),
      failed.map(({ failure }) => failure),
      failed.map(({ pauseMs }) => pauseMs),
    ],
  );
}
