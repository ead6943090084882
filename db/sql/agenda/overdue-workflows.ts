import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { firstTimePartAt } from '../../id.ts';
import { stamp } from '../../rows.ts';
import { OVERDUE } from './overdue.ts';

/** A row among the overdue ones, which are looked at by their instants and workflows. */
export interface OverduePlace {
  dueAt: Instant;
  workflowId: string;
}

/**
 * Goes from row to row in the order of their index, and looks up by the message's key whether its workflow was sent
 * nothing: whatever Postgres knows of the tables, it reads no other rows.
 */
const OF_AGENDA = `
  with recursive due as (
    select $1::timestamptz as due_at, $2 as workflow_id, 0 as place
    union all
    select next.due_at, next.workflow_id, due.place + 1
    from due cross join lateral (
      select a.due_at, a.workflow_id from agenda a where ${OVERDUE} and (a.due_at, a.workflow_id) > (due.due_at, due.workflow_id)
      order by a.due_at, a.workflow_id limit 1
    ) next
    where due.place < $3
  )
  select due_at as "dueAt", workflow_id as "workflowId", coalesce((
    select bool_and(o.sent >= o.wanted and coalesce(o.sent_at <= clock_timestamp() - interval '1 minute', true)) from outbox o
    where o.workflow_id = due.workflow_id and o.kind in ('contract', 'customer')), true) as "isSilent"
  from due where place > 0 order by place`;

/**
 * Workflows of the wall clock that wait for something which was due a minute ago, those of the earliest first. One
 * whose message is open, or was sent within that time, is left out. SQL, because it scans the agenda every few seconds:
 * from a place on, since after an outage everything that was due meanwhile is overdue.
 *
 * @param after the place behind which it begins; null: with the earliest
 * @param most instants of workflows that it looks at
 * @returns them, and the place behind which there may be more; null: it has come to the end
 */
export async function overdueWorkflows(
  db: Queryable,
  after: OverduePlace | null,
  most: number,
): Promise<{ workflowIds: string[]; next: OverduePlace | null }> {
  const from = after === null ? ['-infinity', ''] : [stamp(after.dueAt), after.workflowId];
  const rows = await db.query<OverduePlace & { isSilent: boolean }>(OF_AGENDA, [...from, most]);
  const workflowIds = new Set(rows.flatMap(({ workflowId, isSilent }) => (isSilent ? [workflowId] : [])));
  return { workflowIds: [...workflowIds], next: rows.length < most ? null : (rows.at(-1) ?? null) };
}

/** Longer than a provider's call and the longest pause between two calls, so that a run seldom has to be asked. */
const SILENT_MINUTES = 10;

/**
 * SQL: workflows of open rows that were sent nothing for some minutes. Rows that were made since aren't looked at: a
 * herd's payments are. Their age is in their ids, other times of theirs may be those of a test clock; how long ago a
 * method was detached, its message alone says. A message that isn't there was sent so long ago that it has been
 * deleted. As a scalar it is looked up by its key, however many there are.
 */
const silent = (kind: string, id: string, table: string, open: string): string => `
  select '${kind}:' || x.id as "workflowId" from ${table} x where ${open} and x.id < '${id}_' || $2::text and coalesce((
    select o.sent >= o.wanted and o.sent_at < clock_timestamp() - interval '${SILENT_MINUTES} minutes'
    from outbox o where o.kind = '${kind}' and o.workflow_id = '${kind}:' || x.id), true)
  order by x.id limit $1`;

const SQL = `(${silent('payment', 'Pay', 'payment_attempt', `x.status = 'processing' and x.ask_at is null`)})
  union all (${silent('refund', 'Ref', 'payment_refund', `x.status = 'processing'`)})
  union all (${silent('detach', 'CPMet', 'payment_method', 'x.detach_pending')})`;

/**
 * Workflows of payment attempts, refunds and methods to detach that nobody has heard of for ten minutes, also on test
 * clocks. One whose message is open, or was sent within that time, is left out. SQL, because it looks at them every few
 * seconds.
 *
 * @param limit of each kind
 */
export async function silentWorkflows(db: Queryable, limit: number): Promise<string[]> {
  const before = firstTimePartAt(Date.now() - SILENT_MINUTES * 60_000);
  const rows = await db.query<{ workflowId: string }>(SQL, [limit, before]);
  return rows.map(({ workflowId }) => workflowId);
}
