import type { Queryable } from '../connect.ts';

/** Whether a session of a vendor's people was ended before its time. */
export async function hasEnded(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query('select id from ended_session where id = $1', [id]);
  return rows.length > 0;
}
