import type { Queryable } from '../connect.ts';

/**
 * SQL: a payment of a clock's customers is being made at an instant. One that waits for its provider until later isn't: it is on the agenda.
 *
 * @param clock SQL of the clock's id
 * @param now SQL of the instant
 */
export const paymentUnderWay = (clock: string, now: string): string =>
  `exists (select from payment_attempt u where u.test_clock_id = ${clock} and u.status = 'processing' and (u.ask_at is null or u.ask_at <= ${now}))`;

/** Whether a payment is being made on a clock, at the clock's time. */
export async function isPaymentUnderWay(db: Queryable, clockId: string): Promise<boolean> {
  const rows = await db.query(`select from test_clock t where t.id = $1 and ${paymentUnderWay('t.id', 't.now')}`, [clockId]);
  return rows.length > 0;
}
