import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/**
 * The contract of a clock that was parked first with something of some kinds due by an instant. SQL, because every step
 * of a clock scans the agenda for it.
 */
export async function parkedContract(
  db: Queryable,
  clockId: string,
  at: Instant,
  kinds: readonly string[],
): Promise<{ id: string; reason: string } | null> {
  const [row] = await db.query<{ id: string; reason: string }>(
    `select c.id, c.parked_reason as reason from agenda a join contract c on c.id = a.contract_id
     where a.test_clock_id = $1 and a.due_at <= $2 and a.kind = any($3::text[]) and c.parked_reason is not null order by a.due_at, c.id limit 1`,
    [clockId, stamp(at), kinds],
  );
  return row ?? null;
}
