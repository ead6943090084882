import type { Queryable } from '../../connect.ts';
import type { WorkflowMessage } from '../../transaction.ts';
import { inOrderOf, type LeasedMessage, leaseSql, OPEN } from './leased-message.ts';

const SQL = leaseSql(inOrderOf('unnest($1::text[], $2::text[]) as m(kind, workflow_id)', OPEN));

/**
 * Leases those of the given messages that are open and not leased. It waits for a row that is being written, since the
 * message that its writer wants may be sent with it; other locked rows are left alone. SQL, because one statement after
 * each commit looks at many rows and takes them.
 */
export const leaseGiven = (db: Queryable, messages: readonly WorkflowMessage[]): Promise<LeasedMessage[]> =>
  db.query<LeasedMessage>(SQL, [messages.map(({ kind }) => kind), messages.map(({ workflowId }) => workflowId)]);
