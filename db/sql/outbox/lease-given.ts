import type { Queryable } from '../../connect.ts';
import type { WorkflowMessage } from '../../transaction.ts';
import { inOrderOf, LEASE_END, LEASED, type LeasedMessage, OPEN } from './leased-message.ts';

/**
 * Leases those of the given messages that are open and not leased, and that no transaction writes at this moment: it
 * will send them itself. SQL, because one statement after each commit looks at many rows and takes them.
 */
export function leaseGiven(db: Queryable, messages: readonly WorkflowMessage[]): Promise<LeasedMessage[]> {
  return db.query<LeasedMessage>(
    `update outbox o set leased_until = ${LEASE_END}
     from (${inOrderOf('unnest($1::text[], $2::text[]) as m(kind, workflow_id)')} skip locked) m
     where o.kind = m.kind and o.workflow_id = m.workflow_id and ${OPEN} returning ${LEASED}`,
    [messages.map(({ kind }) => kind), messages.map(({ workflowId }) => workflowId)],
  );
}
