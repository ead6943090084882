import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';
import { stampOrNull } from '../../rows.ts';

/** An invoice of which something is still to be paid. */
export interface UnpaidRow {
  id: string;
  currency: Currency;
  amount: string;
  dueDate: Instant;
  counted: boolean;
  /** smallest amount that is collected automatically */
  threshold: string | null;
}

/**
 * What a customer has still to pay, with the vendor's threshold. SQL, because it is a read that callers make before
 * they let their customers in.
 *
 * @param dueBefore `counted` are only invoices due before this instant
 */
export const readUnpaid = (db: Queryable, vendorId: string, customerId: string, dueBefore: Instant | null): Promise<UnpaidRow[]> =>
  db.query<UnpaidRow>(
    `select i.id, i.currency, i.amount_due::text as amount, i.due_date as "dueDate",
       ($3::timestamptz is null or i.due_date < $3) as counted, v.payment_threshold ->> i.currency as threshold
     from invoice i join vendor v on v.id = i.vendor_id
     where i.vendor_id = $1 and i.customer_id = $2 and i.status = 'ready_for_payment' and i.amount_due > 0
     order by i.currency, i.due_date, i.id`,
    [vendorId, customerId, stampOrNull(dueBefore)],
  );
