import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { OVERDUE } from './overdue.ts';

interface OverdueRow {
  kind: string;
  subject: string;
  contractId: string | null;
  customerId: string;
  testClockId: string | null;
  dueAt: Instant;
}

/**
 * Agenda rows that should have been dealt with: on the wall clock those a minute past, on a test clock that stands
 * still those it has passed. SQL, because a row is compared with its own clock.
 */
export async function overdueAgenda(db: Queryable, limit: number): Promise<OverdueRow[]> {
  return db.query<OverdueRow>(
    `select a.kind, a.subject, a.contract_id as "contractId", a.customer_id as "customerId", a.test_clock_id as "testClockId", a.due_at as "dueAt"
       from agenda a
       left join test_clock t on t.id = a.test_clock_id
      where (${OVERDUE}) or (t.status = 'ready' and not a.held and a.due_at <= t.now)
      order by a.due_at limit $1`,
    [limit],
  );
}
