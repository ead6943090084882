import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/** A row of the agenda that has fallen due for an invoice. */
export interface DuePayment {
  kind: string;
  /** the invoice */
  subject: string;
  detail: Record<string, unknown>;
}

/**
 * Rows of some kinds that are due and that a workflow waits for, earliest first. SQL, because every wake-up of a
 * contract's workflow scans the agenda for them.
 */
export function dueCollections(
  tx: Queryable,
  workflowId: string,
  kinds: readonly string[],
  now: Instant,
  limit: number,
): Promise<DuePayment[]> {
  return tx.query<DuePayment>(
    `select kind, subject, detail from agenda where workflow_id = $3 and due_at <= $1 and kind = any($2::text[]) and not held
     order by due_at, kind = 'dunning_end', id limit $4`,
    [stamp(now), kinds, workflowId, limit],
  );
}
