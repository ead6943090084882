import type { Queryable } from '../../connect.ts';
import { OVERDUE } from './overdue.ts';

/**
 * Workflows of the wall clock that wait for something which was due a minute ago, those of the earliest first. One
 * whose message is open, or was sent within the last minute, is left out. SQL, because it scans the agenda every few
 * seconds.
 */
export async function overdueWorkflows(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ workflowId: string }>(
    `select a.workflow_id as "workflowId" from agenda a
      where ${OVERDUE}
        and not exists (select from outbox o where o.workflow_id = a.workflow_id and o.kind in ('contract', 'customer')
          and (o.sent < o.wanted or o.sent_at > clock_timestamp() - interval '1 minute'))
      group by a.workflow_id order by min(a.due_at), a.workflow_id limit $1`,
    [limit],
  );
  return rows.map(({ workflowId }) => workflowId);
}
