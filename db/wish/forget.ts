import type { Queryable } from '../connect.ts';
import { stamp } from '../rows.ts';

/** For whoever looks for what started or woke a workflow; no rule reads a wish that was delivered. */
const KEPT_MS = 86_400_000;

/** Forgets up to `most` wishes that were delivered more than a day ago, the oldest first; returns how many. */
export async function forgetDelivered(db: Queryable, now: number, most: number): Promise<number> {
  const rows = await db.query(
    `delete from wish where id in (select id from wish where delivered_at < $1::timestamptz order by id limit $2 for update skip locked) returning id`,
    [stamp(now - KEPT_MS), most],
  );
  return rows.length;
}
