import type { Queryable } from '../../connect.ts';
import { paymentUnderWay } from './under-way.ts';

/** Whether a payment is being made on a clock, at the clock's time. SQL, because every step of a clock asks it. */
export async function isPaymentUnderWay(db: Queryable, clockId: string): Promise<boolean> {
  const rows = await db.query(`select from test_clock t where t.id = $1 and ${paymentUnderWay('t.id', 't.now')}`, [clockId]);
  return rows.length > 0;
}
