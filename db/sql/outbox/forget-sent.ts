import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/** Sent messages are kept for a day so that operators can see what started or woke a workflow; no code reads them. */
const KEPT_MS = 86_400_000;

/**
 * Deletes up to `most` messages that were sent more than a day ago, the oldest first. SQL, because it deletes a batch
 * by one statement that leaves locked rows out.
 *
 * @returns how many
 */
export async function forgetSent(db: Queryable, now: number, most: number): Promise<number> {
  const rows = await db.query(
    `delete from outbox where (kind, workflow_id) in (
       select kind, workflow_id from outbox where sent_at < $1::timestamptz and sent >= wanted order by sent_at limit $2 for update skip locked
     ) returning kind`,
    [stamp(now - KEPT_MS), most],
  );
  return rows.length;
}
