import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

const sqlOf = (isOnClock: string): string =>
  `select exists (select 1 from agenda a where a.test_clock_id ${isOnClock} and a.remind_at <= $1 and not a.held)
     or exists (select 1 from payment_method m where m.test_clock_id ${isOnClock} and m.remind_at <= $1) as due`;

/**
 * Whether a reminder of something to come is due. SQL: two looks at indexes, so that nothing to do costs no
 * transaction.
 */
export async function isReminderDue(db: Queryable, clockId: string | null, upTo: Instant): Promise<boolean> {
  const [row] = await (clockId === null
    ? db.query<{ due: boolean }>(sqlOf('is null'), [stamp(upTo)])
    : db.query<{ due: boolean }>(sqlOf('= $2'), [stamp(upTo), clockId]));
  return row?.due ?? false;
}
