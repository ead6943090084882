import type { Instant } from '../../billing/calendar/instant.ts';
import type { Queryable } from '../connect.ts';

interface OverdueRow {
  kind: string;
  subject: string;
  contractId: string | null;
  customerId: string;
  testClockId: string | null;
  dueAt: Instant;
}

const MINUTE = 60_000;
/** A timer, its activity and a retry or two fit into this; later than that somebody should look. */
const OVERDUE_AFTER = 2 * MINUTE;

/**
 * Agenda rows that should have been dealt with: on the wall clock those some minutes past, on a test clock that stands still those it has passed.
 * A frozen customer's rows wait for the thaw and are none.
 */
export async function overdueAgenda(db: Queryable, now: Instant, limit = 100): Promise<OverdueRow[]> {
  return db.query<OverdueRow>(
    `select a.kind, a.subject, a.contract_id as "contractId", a.customer_id as "customerId", a.test_clock_id as "testClockId", a.due_at as "dueAt"
       from agenda a
       join customer c on c.id = a.customer_id and c.status <> 'inactive'
       left join test_clock t on t.id = a.test_clock_id
      where (a.test_clock_id is null and a.due_at < $1::timestamptz) or (t.status = 'ready' and a.due_at <= t.now)
      order by a.due_at limit $2`,
    [new Date(now - OVERDUE_AFTER).toISOString(), limit],
  );
}

/**
 * Workflows of the wall clock that wait for something which was due a minute ago, those of the earliest first. One whose message is open, or was sent
 * within the last minute, is left out.
 */
export async function overdueWorkflows(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ workflowId: string }>(
    `select a.workflow_id as "workflowId" from agenda a
      where a.test_clock_id is null and not a.held and a.due_at < clock_timestamp() - interval '1 minute'
        and not exists (select from outbox o where o.workflow_id = a.workflow_id and o.kind in ('contract', 'customer')
          and (o.sent < o.wanted or o.sent_at > clock_timestamp() - interval '1 minute'))
      group by a.workflow_id order by min(a.due_at), a.workflow_id limit $1`,
    [limit],
  );
  return rows.map(({ workflowId }) => workflowId);
}
