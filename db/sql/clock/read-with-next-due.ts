import type { Queryable } from '../../connect.ts';

/** A test clock as its vendor sees it. */
export interface ClockRecord {
  id: string;
  name: string | null;
  now: number;
  /** where an advance under way leads */
  target: number | null;
  status: 'ready' | 'advancing' | 'failed';
  reason: string | null;
  /**
   * the earliest instant at which something is due for its customers; while it advances, without what it is doing at
   * its present instant
   */
  nextDue: number | null;
}

/** SQL: what a vendor sees of the clock `t`. */
export const CLOCK_COLUMNS = `t.id, t.name, t.now, t.target, t.status, t.reason,
  (select min(a.due_at) from agenda a where a.test_clock_id = t.id and (t.status <> 'advancing' or a.due_at > t.now)) as "nextDue"`;

/**
 * A vendor's clock and what is due next on it. SQL, because both are read in one statement: only the clock's own time
 * tells what it is doing now from what is still to come.
 */
export async function readClockWithNextDue(db: Queryable, vendorId: string, id: string): Promise<ClockRecord | null> {
  const [row] = await db.query<ClockRecord>(`select ${CLOCK_COLUMNS} from test_clock t where t.vendor_id = $1 and t.id = $2`, [
    vendorId,
    id,
  ]);
  return row ?? null;
}
