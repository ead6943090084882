import type { Queryable } from '../../connect.ts';
import { paymentUnderWay } from './under-way.ts';

/**
 * Lets a clock stand at its target when nothing is due by then and nothing under way. SQL, because both must be looked
 * at in the one statement that says so.
 *
 * @returns false when there is more to do
 */
export async function setReady(tx: Queryable, clockId: string): Promise<boolean> {
  const ready = await tx.query(
    `update test_clock t set status = 'ready', target = null, reason = null
     where t.id = $1 and t.status = 'advancing' and t.now = t.target
       and not exists (select from agenda a where a.test_clock_id = t.id and a.due_at <= t.target)
       and not ${paymentUnderWay('t.id', 't.now')} returning t.id`,
    [clockId],
  );
  return ready.length > 0;
}
