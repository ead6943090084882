import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/**
 * Forgets up to `most` responses that are older than an instant, the oldest first. SQL, because it deletes a batch by
 * one statement that leaves locked rows out.
 *
 * @returns how many
 */
export async function forgetOldResponses(db: Queryable, before: number, most: number): Promise<number> {
  const rows = await db.query(
    `delete from idempotency where (vendor_id, operation, key) in (
       select vendor_id, operation, key from idempotency where created < $1::timestamptz order by created limit $2 for update skip locked
     ) returning key`,
    [stamp(before), most],
  );
  return rows.length;
}
