import type { TraceHeaders } from '../../../config/tracing.ts';
import type { Queryable } from '../../connect.ts';
import type { WorkflowMessage } from '../../transaction.ts';

/**
 * Writes the messages of a transaction as its last statement: each raises `wanted` of its row, in one order, so that
 * transactions with messages for the same workflow wait for each other's commit alone and never for more. SQL, because
 * every write of a contract ends with it.
 *
 * @param relayAfterMs for how long the relay leaves a message to the process that wrote it
 * @param trace where the transaction is in its trace; it goes on in the workflows
 */
export async function writeOutbox(
  tx: Queryable,
  messages: readonly WorkflowMessage[],
  relayAfterMs: (message: WorkflowMessage) => number,
  trace: TraceHeaders | null,
): Promise<void> {
  if (messages.length === 0) return;
  await tx.query(
    `insert into outbox as o (kind, workflow_id, next_try, trace)
     select kind, workflow_id, clock_timestamp() + min(relay_after) * interval '1 millisecond', $4::jsonb
       from unnest($1::text[], $2::text[], $3::int[]) as m(kind, workflow_id, relay_after) group by kind, workflow_id order by kind, workflow_id
     on conflict (kind, workflow_id) do update set wanted = o.wanted + 1, next_try = excluded.next_try,
       trace = case when o.sent < o.wanted then coalesce(excluded.trace, o.trace) else excluded.trace end`,
    [messages.map(({ kind }) => kind), messages.map(({ workflowId }) => workflowId), messages.map(relayAfterMs), trace],
  );
}
