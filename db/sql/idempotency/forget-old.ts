import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

const KEPT_MS = 30 * 86_400_000;

/**
 * Forgets up to `most` responses older than 30 days, the oldest first. SQL, because it deletes a batch by one statement
 * that leaves locked rows out.
 *
 * @returns how many
 */
export async function forgetOldResponses(db: Queryable, now: number, most: number): Promise<number> {
  const rows = await db.query(
    `delete from idempotency where (vendor_id, operation, key) in (
       select vendor_id, operation, key from idempotency where created < $1::timestamptz order by created limit $2 for update skip locked
     ) returning key`,
    [stamp(now - KEPT_MS), most],
  );
  return rows.length;
}
