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
  /**
   * the run of its workflow that was started last has not begun: the number of the latest event known when the workflow
   * was started; null: it has begun, or may have by the time that the message is sent
   */
  unbegunSince: string | null;
  /** of who wrote it, where that was traced */
  trace: TraceHeaders | null;
}

/** SQL: the end of a lease that begins now. */
export const LEASE_END = `clock_timestamp() + interval '15 seconds'`;
/** SQL: the run begins behind this lease, and Temporal puts another in its place: it refuses to in the first second. */
const UNBEGUN = `o.begins_at > clock_timestamp() + interval '15 seconds' and o.sent_at < clock_timestamp() - interval '2 seconds'`;
/** SQL: what a statement that leases rows of `outbox o` returns of them. */
export const LEASED = `o.kind, o.workflow_id as "workflowId", o.wanted::text as wanted, o.tries, o.sent = 0 as "isFirst", o.trace,
  case when ${UNBEGUN} then o.seen::text end as "unbegunSince"`;
/** SQL: the row is open and not leased. */
export const OPEN = 'o.sent < o.wanted and (o.leased_until is null or o.leased_until < clock_timestamp())';

/**
 * SQL: the rows of `outbox o` that belong to the rows `given`, locked in the order in which transactions write them:
 * a statement that waits for one row holds none that comes later, so no two wait for each other.
 */
export const inOrderOf = (given: string, which = 'true'): string =>
  `select o.kind, o.workflow_id from outbox o join ${given} using (kind, workflow_id) where ${which}
   order by o.kind, o.workflow_id for no key update of o`;
