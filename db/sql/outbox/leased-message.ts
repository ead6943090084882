import type { WorkflowMessage } from '../../transaction.ts';

/** A message that one dispatcher sends, until its lease ends. */
export interface LeasedMessage extends WorkflowMessage {
  /** `wanted` of the row when it was leased; a message enqueued later leaves the row open */
  wanted: string;
  /** how often sending it has failed in a row */
  tries: number;
  /** it has never been sent: the workflow may have to be started */
  isFirst: boolean;
}

/** SQL: the end of a lease that begins now. */
export const LEASE_END = `clock_timestamp() + interval '15 seconds'`;
/** SQL: what a statement that leases rows of `outbox o` returns of them. */
export const LEASED = 'o.kind, o.workflow_id as "workflowId", o.wanted::text as wanted, o.tries, o.sent = 0 as "isFirst"';
/** SQL: the row is open and not leased. */
export const OPEN = 'o.sent < o.wanted and (o.leased_until is null or o.leased_until < clock_timestamp())';
