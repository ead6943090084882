import type { Queryable } from '../../connect.ts';
import { paymentUnderWay } from './under-way.ts';

/**
 * Ends an advance when nothing is due up to its target and no payment is being made. SQL, because the statement that
 * ends it must also check both.
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
