import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

export interface OtherRow {
  kind: string;
  subject: string;
  detail: Record<string, unknown>;
  /** the workflow that waits for it, or shows it */
  workflowId: string;
}

const AT_ONCE = 200;

/**
 * Rows of a clock that are due and of none of the given kinds, a few hundred at a time. SQL, because every step of a
 * clock scans the agenda for them.
 */
export const otherDueRows = (tx: Queryable, clockId: string, upTo: Instant, kinds: readonly string[]): Promise<OtherRow[]> =>
  tx.query<OtherRow>(
    `select kind, subject, detail, workflow_id as "workflowId" from agenda where test_clock_id = $1 and due_at <= $2 and kind <> all($3::text[])
     order by due_at, kind = 'dunning_end', kind <> 'payment_gate', id limit ${AT_ONCE}`,
    [clockId, stamp(upTo), kinds],
  );
