import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/**
 * Deletes up to `most` prints with what happened to a document since it was made; they are printed again when they are
 * asked for. The print of a document as it was made is a record and stays. SQL, because it deletes a batch by one
 * statement that leaves locked rows out.
 *
 * @returns how many
 */
export async function forgetPrints(db: Queryable, before: number, most: number): Promise<number> {
  const rows = await db.query(
    `delete from document_print where edition = 'since' and document_id in (
       select document_id from document_print where edition = 'since' and printed < $1::timestamptz order by printed limit $2 for update skip locked
     ) returning 1`,
    [stamp(before), most],
  );
  return rows.length;
}
