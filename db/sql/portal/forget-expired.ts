import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/**
 * Deletes up to `most` links or sessions of portal and console that have expired: nothing tells one of them from one
 * that never was. SQL, because it deletes a batch by one statement that leaves locked rows out.
 *
 * @returns how many
 */
export async function forgetExpired(
  db: Queryable,
  table: 'portal_token' | 'portal_session' | 'console_session',
  before: number,
  most: number,
): Promise<number> {
  const rows = await db.query(
    `delete from ${table} where hash in (
       select hash from ${table} where expires < $1::timestamptz order by expires limit $2 for update skip locked
     ) returning 1`,
    [stamp(before), most],
  );
  return rows.length;
}
