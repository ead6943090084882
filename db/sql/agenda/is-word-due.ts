import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

const sqlOf = (isOnClock: string): string =>
  `select exists (select 1 from agenda a where a.test_clock_id ${isOnClock} and a.word_at <= $1 and not a.held)
     or exists (select 1 from payment_method m where m.test_clock_id ${isOnClock} and m.word_at <= $1) as due`;

/** Whether word is due of something to come. SQL: two looks at indexes, so that nothing to do costs no transaction. */
export async function isWordDue(db: Queryable, clockId: string | null, upTo: Instant): Promise<boolean> {
  const [row] = await (clockId === null
    ? db.query<{ due: boolean }>(sqlOf('is null'), [stamp(upTo)])
    : db.query<{ due: boolean }>(sqlOf('= $2'), [stamp(upTo), clockId]));
  return row?.due ?? false;
}
