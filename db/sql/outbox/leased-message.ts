import type { Instant } from '../../../billing/calendar/instant.ts';
import type { TraceHeaders } from '../../../config/tracing.ts';
import type { WorkflowMessage } from '../../transaction.ts';

/** A message that one dispatcher sends, until its lease ends. */
export interface LeasedMessage extends WorkflowMessage {
  /** `wanted` of the row when it was leased; a message enqueued later leaves the row open */
  wanted: string;
  /** how often sending it has failed in a row */
  tries: number;
  /** it has never been sent: the workflow may have to be started */
  isFirst: boolean;
  /** nobody has tried to send a message to this workflow, as far as the row says */
  isUntried: boolean;
  /**
   * its workflow's run waits for its first instant: the number of the latest event known when the workflow was started;
   * null: the run has begun, or may have by the time that the message is sent
   */
  waitsSince: string | null;
  /** identifies this lease of the row: if the row has another lease, or none, nothing is known of the run */
  lease: Instant;
  /** trace of the transaction that wrote it, if it was traced */
  trace: TraceHeaders | null;
}

/**
 * SQL: ends the lease `x` of a row `o`, if the row still has it. If the lease was lost, another dispatcher may have
 * sent the message too, in either order: its lease stays, and one more message is wanted, after which the workflow
 * knows the latest state.
 */
export const ENDED_LEASE = `leased_until = case when o.leased_until = x.lease then null else o.leased_until end,
  wanted = o.wanted + case when o.leased_until = x.lease then 0 else 1 end`;
/** SQL: the row is open and not leased. */
export const OPEN = 'o.sent < o.wanted and (o.leased_until is null or o.leased_until < clock_timestamp())';

/**
 * SQL: leases the rows that `found` selects. Leasing clears what the row knows of a run, and only the dispatcher that
 * marks the message as sent writes it again: whatever becomes of this process, in doubt a run counts as begun. A run
 * that begins while the lease lasts counts as begun too.
 */
export const leaseSql = (found: string): string => `
  with held as materialized (${found})
  update outbox o set leased_until = clock_timestamp() + interval '15 seconds', begins_at = null, seen = null
  from held where o.kind = held.kind and o.workflow_id = held.workflow_id
  returning o.kind, o.workflow_id as "workflowId", o.wanted::text as wanted, o.tries, o.sent = 0 as "isFirst",
    o.sent = 0 and o.tries = 0 and held.leased_until is null as "isUntried", o.leased_until as lease, o.trace,
    case when held.begins_at > o.leased_until then held.seen::text end as "waitsSince"`;

/**
 * SQL: the rows of `outbox o` that belong to the rows `given`, locked in the order in which transactions write them:
 * a statement that waits for one row holds none that comes later, so no two wait for each other.
 */
export const inOrderOf = (given: string, which = 'true'): string =>
  `select o.kind, o.workflow_id, o.leased_until, o.begins_at, o.seen from outbox o join ${given} using (kind, workflow_id) where ${which}
   order by o.kind, o.workflow_id for no key update of o`;
