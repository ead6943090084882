import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/**
 * Deletes up to `most` messages that were sent before an instant, the oldest first; until then operators see what
 * started or woke a workflow. One whose run has not begun stays until it has. SQL, because it deletes a batch
 * by one statement that leaves locked rows out.
 *
 * @returns how many
 */
export async function forgetSent(db: Queryable, before: number, most: number): Promise<number> {
  const rows = await db.query(
    `delete from outbox where (kind, workflow_id) in (
       select kind, workflow_id from outbox where greatest(sent_at, begins_at) < $1::timestamptz and sent >= wanted
         order by greatest(sent_at, begins_at) limit $2 for update skip locked
     ) returning kind`,
    [stamp(before), most],
  );
  return rows.length;
}
