import type { Queryable } from '../../db/connect.ts';
import { stamp } from '../../db/rows.ts';

/** Forgotten with each that ends, so that the table stays as small as there are sessions to remember. */
const FORGOTTEN_AT_ONCE = 100;

/**
 * Ends a session of a vendor's people: its cookie opens nothing any more, wherever copies of it are. Noted until the cookie would have been over
 * by itself.
 */
export async function endSession(db: Queryable, { id, expires }: { id: string; expires: number }, now = Date.now()): Promise<void> {
  await db.query(
    'delete from ended_session where id in (select id from ended_session where expires < $1::timestamptz limit $2 for update skip locked)',
    [stamp(now), FORGOTTEN_AT_ONCE],
  );
  await db.query('insert into ended_session (id, expires) values ($1, $2::timestamptz) on conflict do nothing', [id, stamp(expires)]);
}
