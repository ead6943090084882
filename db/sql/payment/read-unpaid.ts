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
  /** what is left of all that are counted in its currency */
  total: string;
  /** smallest amount that is collected automatically */
  threshold: string | null;
}

const COUNTED = '($3::timestamptz is null or i.due_date < $3)';
const SQL = `select id, currency, amount, "dueDate", counted, coalesce(total, 0)::text as total, threshold from (
    select i.id, i.currency, i.amount_due::text as amount, i.due_date as "dueDate", ${COUNTED} as counted,
      sum(i.amount_due) filter (where ${COUNTED}) over (partition by i.currency) as total,
      row_number() over (partition by i.currency order by i.due_date, i.id) as place, v.payment_threshold ->> i.currency as threshold
    from invoice i join vendor v on v.id = i.vendor_id
    where i.vendor_id = $1 and i.customer_id = $2 and i.status = 'ready_for_payment' and i.amount_due > 0
  ) open where place <= $4 order by currency, "dueDate", id`;

/**
 * What a customer has still to pay, with the vendor's threshold. SQL, because it is a read that callers make before
 * they let their customers in.
 *
 * @param dueBefore `counted` are only invoices due before this instant
 * @param most in each currency, the earliest due
 */
export const readUnpaid = (
  db: Queryable,
  vendorId: string,
  customerId: string,
  { dueBefore, most }: { dueBefore: Instant | null; most: number },
): Promise<UnpaidRow[]> => db.query<UnpaidRow>(SQL, [vendorId, customerId, stampOrNull(dueBefore), most]);
