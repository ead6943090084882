import type { Pause } from '../../../billing/calendar/pauses.ts';
import type { Queryable } from '../../connect.ts';

/**
 * The customer's freezes, in order. SQL, because every sale and every usage event that is decided one by one reads
 * them.
 */
export const readPauses = (db: Queryable, customerId: string): Promise<Pause[]> =>
  db.query<Pause>(`select began as "from", ended as "to" from customer_pause where customer_id = $1 order by began`, [customerId]);
