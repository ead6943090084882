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
   * the earliest thing to come for its customers; while it advances, what it is at work on at this instant is none of
   * it
   */
  nextDue: number | null;
}

/**
 * A vendor's clock and what is due next on it. SQL, because both are looked at in one statement: what a clock is at
 * work on is distinguished from what is to come by the clock's own time.
 */
export async function readClockWithNextDue(db: Queryable, vendorId: string, id: string): Promise<ClockRecord | null> {
  const [row] = await db.query<ClockRecord>(
    `select t.id, t.name, t.now, t.target, t.status, t.reason,
            (select min(a.due_at) from agenda a where a.test_clock_id = t.id and (t.status <> 'advancing' or a.due_at > t.now)) as "nextDue"
     from test_clock t where t.vendor_id = $1 and t.id = $2`,
    [vendorId, id],
  );
  return row ?? null;
}
