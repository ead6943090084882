import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/**
 * Forgets up to `most` ended sessions whose cookies have expired. SQL, because it deletes a batch by one statement that
 * leaves locked rows out.
 */
export async function forgetEndedSessions(db: Queryable, now: number, most: number): Promise<void> {
  await db.query(
    'delete from ended_session where id in (select id from ended_session where expires < $1::timestamptz limit $2 for update skip locked)',
    [stamp(now), most],
  );
}
