import type { Queryable } from '../../connect.ts';
import type { WorkflowMessage } from '../../transaction.ts';
import { LEASE_END, LEASED, type LeasedMessage, OPEN } from './leased-message.ts';

/**
 * Leases those of the given messages that are open and not leased. SQL, because one statement after each commit looks
 * at many rows and takes them.
 */
export function leaseGiven(db: Queryable, messages: readonly WorkflowMessage[]): Promise<LeasedMessage[]> {
  return db.query<LeasedMessage>(
    `update outbox o set leased_until = ${LEASE_END}
     from unnest($1::text[], $2::text[]) as m(kind, workflow_id)
     where o.kind = m.kind and o.workflow_id = m.workflow_id and ${OPEN} returning ${LEASED}`,
    [messages.map(({ kind }) => kind), messages.map(({ workflowId }) => workflowId)],
  );
}
