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

/** A timer, its activity and a retry or two fit into a minute. What is held can't run now and waits for no timer. */
const ON_THE_WALL_CLOCK = `a.test_clock_id is null and not a.held and a.due_at < clock_timestamp() - interval '1 minute'`;

/** Agenda rows that should have been dealt with: on the wall clock those a minute past, on a test clock that stands still those it has passed. */
export async function overdueAgenda(db: Queryable, limit = 100): Promise<OverdueRow[]> {
  return db.query<OverdueRow>(
    `select a.kind, a.subject, a.contract_id as "contractId", a.customer_id as "customerId", a.test_clock_id as "testClockId", a.due_at as "dueAt"
       from agenda a
       left join test_clock t on t.id = a.test_clock_id
      where (${ON_THE_WALL_CLOCK}) or (t.status = 'ready' and not a.held and a.due_at <= t.now)
      order by a.due_at limit $1`,
    [limit],
  );
}

/** How many rows of the wall clock are a minute past: contracts that stopped billing. */
export async function countOverdue(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: string }>(`select count(*) from agenda a where ${ON_THE_WALL_CLOCK}`);
  return Number(row?.count ?? 0);
}

/**
 * Workflows of the wall clock that wait for something which was due a minute ago, those of the earliest first. One whose message is open, or was sent
 * within the last minute, is left out.
 */
export async function overdueWorkflows(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ workflowId: string }>(
    `select a.workflow_id as "workflowId" from agenda a
      where ${ON_THE_WALL_CLOCK}
        and not exists (select from outbox o where o.workflow_id = a.workflow_id and o.kind in ('contract', 'customer')
          and (o.sent < o.wanted or o.sent_at > clock_timestamp() - interval '1 minute'))
      group by a.workflow_id order by min(a.due_at), a.workflow_id limit $1`,
    [limit],
  );
  return rows.map(({ workflowId }) => workflowId);
}
