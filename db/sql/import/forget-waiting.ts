import type { Queryable } from '../../connect.ts';

/**
 * Deletes up to `most` lines that wait in imports which have ended: nobody carries them out any more. SQL, because it
 * deletes a batch by one statement.
 *
 * @returns how many
 */
export async function forgetWaitingLines(db: Queryable, most: number): Promise<number> {
  const rows = await db.query(
    `delete from import_line where (import_id, number) in (
       select waiting.import_id, waiting.number from import
         cross join lateral (select l.import_id, l.number from import_line l where l.import_id = import.id and l.outcome is null limit $1) waiting
         where import.status = 'done' limit $1
     ) returning 1`,
    [most],
  );
  return rows.length;
}
