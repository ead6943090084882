import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { KEEPS } from './reserved-units.ts';

/**
 * Forgets up to `most` reservations that were made before an instant and keep nothing any more. SQL, because it deletes
 * a batch by one statement that leaves locked rows out.
 *
 * @returns how many
 */
export async function forgetReservations(db: Queryable, before: number, most: number): Promise<number> {
  const rows = await db.query(
    `delete from usage_reservation where id in (
       select r.id from usage_reservation r join customer c on c.id = r.customer_id
       where r.made_at < $1::timestamptz and not (${KEEPS}) order by r.made_at limit $2 for update of r skip locked
     ) returning id`,
    [stamp(before), most],
  );
  return rows.length;
}
