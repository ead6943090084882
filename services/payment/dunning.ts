import type { Instant } from '../../billing/calendar/instant.ts';
import { paymentAttemptMachine } from '../../billing/lifecycle/payment-attempt.ts';
import type { Tx } from '../../db/connect.ts';
import type { Attempt } from '../../db/payment/attempt.ts';
import { stamp } from '../../db/rows.ts';
import { statusMove } from '../../db/sql/status.ts';
import { planPayments } from './plan.ts';

const DROP = statusMove(paymentAttemptMachine, 'drop');

/**
 * Counts a failure. The first one sets the day the retries are reckoned from, with the vendor's retry days as they are then; a failure of
 * another method begins anew.
 */
export async function noteFailure(tx: Tx, attempt: Attempt, retryable: boolean, retryDays: readonly number[], now: Instant): Promise<void> {
  await tx.query(
    `insert into dunning as d (invoice_id, customer_id, method_id, first_failure, failures, retry_days, given_up)
     select $1, $2, $3, $4::timestamptz, 1, coalesce(v.retry_days, $5::jsonb), not $6::boolean from vendor v where v.id = $7
     on conflict (invoice_id) do update set
       method_id = excluded.method_id,
       given_up = excluded.given_up,
       failures = case when d.method_id = excluded.method_id then d.failures + 1 else 1 end,
       first_failure = case when d.method_id = excluded.method_id then d.first_failure else excluded.first_failure end,
       retry_days = case when d.method_id = excluded.method_id then d.retry_days else excluded.retry_days end`,
    [attempt.invoiceId, attempt.customerId, attempt.methodId, stamp(now), JSON.stringify(retryDays), retryable, attempt.vendorId],
  );
}

/**
 * A charge never made because the customer was frozen meanwhile: as if it had not been begun. A customer that has been activated since is
 * collected from again.
 */
export async function dropAttempt(tx: Tx, attemptId: string, now: Instant): Promise<void> {
  await tx.query('select id from customer where id = (select customer_id from payment_attempt where id = $1) for key share', [attemptId]);
  const [row] = await tx.query<{ invoice_id: string }>(
    `update payment_attempt set status = ${DROP.to}, reason = 'customer_not_active', retryable = true, ended = $2
     where id = $1 and ${DROP.from} and called_at is null returning invoice_id`,
    [attemptId, stamp(now)],
  );
  if (row === undefined) return;
  await tx.query(
    `update invoice set deposit_transaction_status = case
       when exists (select from payment_attempt where invoice_id = $1 and status = 'failed' and reason <> 'customer_not_active') then 'failed'
       else 'not_processed' end
     where id = $1`,
    [row.invoice_id],
  );
  await planPayments(tx, [row.invoice_id]);
}
