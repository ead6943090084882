import type { Queryable } from '../../connect.ts';
import { stampOrNull } from '../../rows.ts';
import type { Attempt } from '../payment/attempt.ts';
import { failuresOf } from './failures.ts';

const COLUMNS = `id, vendor_id, coalesce(test_clock_id, '') as clock_id, currency, amount`;

const SQL = `
  with rows as (
    select 1 as sign, ${COLUMNS}, status, reason, ended from payment_attempt where invoice_id = $1 and vendor_id = $2
    union all
    select -1, ${COLUMNS}, case when id = $3 then $4 else status end, case when id = $3 then $5 else reason end,
      case when id = $3 then $6::timestamptz else ended end
    from payment_attempt where invoice_id = $1 and vendor_id = $2
  ), ${failuresOf('sign')}
  insert into figure_sum_change (vendor_id, clock_id, figure, part, currency, day, amount, n)
  select vendor_id, clock_id, 'payments', part, currency, date_trunc('day', ended), sum(sign * amount), sum(sign)
  from counted group by vendor_id, clock_id, part, currency, date_trunc('day', ended)
  having sum(sign * amount) <> 0 or sum(sign) <> 0`;

/**
 * Notes what an attempt's outcome adds to what payments failed and what was recovered of them; its row has it already,
 * and its invoice is locked. SQL: one statement counts the attempts of the invoice as they were and as they are, so
 * that a success after a failure takes back what no longer counts.
 *
 * @param before null: there was no such attempt
 */
export async function keepFailures(
  tx: Queryable,
  invoice: { id: string; vendorId: string },
  attemptId: string,
  before: Pick<Attempt, 'status' | 'reason' | 'ended'> | null,
): Promise<void> {
  const { status = null, reason = null, ended = null } = before ?? {};
  await tx.query(SQL, [invoice.id, invoice.vendorId, attemptId, status, reason, stampOrNull(ended)]);
}
