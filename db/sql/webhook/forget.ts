import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/**
 * Deletes up to `most` tries that are older than an instant. SQL, because it deletes a batch by one statement.
 *
 * @returns how many
 */
export async function forgetTries(db: Queryable, before: number, most: number): Promise<number> {
  const rows = await db.query(
    'delete from webhook_try where id in (select id from webhook_try where at < $1::timestamptz order by at limit $2 for update skip locked) returning id',
    [stamp(before), most],
  );
  return rows.length;
}

const OWNED = ['webhook_try', 'webhook_backlog', 'webhook_skip'] as const;

/**
 * Deletes up to `most` rows of each kind of endpoints that were deleted, and the endpoints that own none any more.
 *
 * @returns the highest number of one kind
 */
export async function forgetDeletedEndpoints(db: Queryable, most: number): Promise<number> {
  let highest = 0;
  for (const table of OWNED) {
    const rows = await db.query(
      `delete from ${table} t where t.ctid in (
         select o.ctid from webhook_endpoint w join ${table} o on o.endpoint_id = w.id where w.status = 'deleted' limit $1
       ) returning 1`,
      [most],
    );
    highest = Math.max(highest, rows.length);
  }
  const none = OWNED.map((table) => `not exists (select 1 from ${table} o where o.endpoint_id = w.id)`).join(' and ');
  await db.query(`delete from webhook_endpoint w where w.status = 'deleted' and ${none}`);
  return highest;
}
