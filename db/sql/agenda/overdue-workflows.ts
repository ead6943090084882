import type { Queryable } from '../../connect.ts';
import { firstTimePartAt } from '../../id.ts';
import { OVERDUE } from './overdue.ts';

const OF_AGENDA = `select a.workflow_id as "workflowId" from agenda a
  where ${OVERDUE}
    and not exists (select from outbox o where o.workflow_id = a.workflow_id and o.kind in ('contract', 'customer')
      and (o.sent < o.wanted or o.sent_at > clock_timestamp() - interval '1 minute'))
  group by a.workflow_id order by min(a.due_at), a.workflow_id limit $1`;

/** Longer than a provider's call and the longest pause between two of them, so that seldom a run has to be asked. */
const SILENT_MINUTES = 10;

/**
 * SQL: workflows of open rows that were sent nothing for some minutes. Rows that were made since aren't looked at: a
 * herd's payments are. Their age is in their ids, other times of theirs may be those of a test clock; how long ago a
 * method was detached, its message alone says. A message that isn't there was sent so long ago that it has been
 * deleted. As a scalar it is looked up by its key, however many there are.
 */
const silent = (kind: string, id: string, table: string, open: string): string => `
  select '${kind}:' || x.id from ${table} x where ${open} and x.id < '${id}_' || $2::text and coalesce((
    select o.sent >= o.wanted and o.sent_at < clock_timestamp() - interval '${SILENT_MINUTES} minutes'
    from outbox o where o.kind = '${kind}' and o.workflow_id = '${kind}:' || x.id), true)
  order by x.id limit $1`;

const SQL = `(${OF_AGENDA})
  union all (${silent('payment', 'Pay', 'payment_attempt', `x.status = 'processing' and x.ask_at is null`)})
  union all (${silent('refund', 'Ref', 'payment_refund', `x.status = 'processing'`)})
  union all (${silent('detach', 'CPMet', 'payment_method', 'x.detach_pending')})`;

/**
 * Workflows of the wall clock that wait for something which was due a minute ago, those of the earliest first, and
 * those of payment attempts, refunds and methods to detach that nobody has heard of for ten minutes, also on test
 * clocks. One whose message is open, or was sent within that time, is left out. SQL, because it scans the agenda every
 * few seconds.
 *
 * @param limit of each kind
 */
export async function overdueWorkflows(db: Queryable, limit: number): Promise<string[]> {
  const before = firstTimePartAt(Date.now() - SILENT_MINUTES * 60_000);
  const rows = await db.query<{ workflowId: string }>(SQL, [limit, before]);
  return rows.map(({ workflowId }) => workflowId);
}
