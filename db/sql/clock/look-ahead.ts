import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { paymentUnderWay } from './under-way.ts';

interface Ahead {
  /** the earliest due instant up to the target */
  next: Instant | null;
  isPaymentUnderWay: boolean;
  /** Postgres's own time */
  wall: Instant;
}

/**
 * What lies between a clock's time and its target. SQL, because what is due and what is under way must be looked at in
 * one statement: a payment that starts or ends meanwhile is then always seen as the one or the other.
 */
export async function lookAhead(tx: Queryable, clockId: string, now: Instant, target: Instant): Promise<Ahead> {
  const [seen] = await tx.query<Ahead>(
    `select clock_timestamp() as wall, (select min(a.due_at) from agenda a where a.test_clock_id = $1 and a.due_at <= $2) as next,
       ${paymentUnderWay('$1', '$3')} as "isPaymentUnderWay"`,
    [clockId, stamp(target), stamp(now)],
  );
  if (seen === undefined) throw new Error('a select without a table gave no row');
  return { ...seen, wall: Math.floor(seen.wall) };
}
