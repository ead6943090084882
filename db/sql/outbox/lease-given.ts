import type { Queryable } from '../../connect.ts';
import type { WorkflowMessage } from '../../transaction.ts';
import { inOrderOf, LEASE_END, LEASED, type LeasedMessage, OPEN } from './leased-message.ts';

/**
 * Leases those of the given messages that are open and not leased. It waits for one that is being written, since what
 * its writer wants may be sent with it; others are left alone. SQL, because one statement after each commit looks at
 * many rows and takes them.
 */
export function leaseGiven(db: Queryable, messages: readonly WorkflowMessage[]): Promise<LeasedMessage[]> {
  return db.query<LeasedMessage>(
    `update outbox o set leased_until = ${LEASE_END}
     from (${inOrderOf('unnest($1::text[], $2::text[]) as m(kind, workflow_id)', OPEN)}) m
     where o.kind = m.kind and o.workflow_id = m.workflow_id returning ${LEASED}`,
    [messages.map(({ kind }) => kind), messages.map(({ workflowId }) => workflowId)],
  );
}
