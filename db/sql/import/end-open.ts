import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/**
 * Ends up to `most` imports that were made before an instant and never started, so that nobody starts one whose lines
 * are being deleted. SQL, because it ends a batch by one statement that leaves locked rows out.
 *
 * @returns how many
 */
export async function endOpenImports(db: Queryable, before: number, most: number): Promise<number> {
  const rows = await db.query(
    `update import set status = 'done', ended = now() where id in (
       select id from import where status = 'open' and created < $1::timestamptz order by created limit $2 for update skip locked
     ) returning 1`,
    [stamp(before), most],
  );
  return rows.length;
}
