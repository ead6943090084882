import type { Queryable } from '../../connect.ts';

/** The payment of an invoice that is under way. */
interface RunningAttempt {
  /** the provider has said that it has no outcome yet, or that the customer is to confirm */
  isWaiting: boolean;
}

/**
 * The payment of an invoice that is under way, of which there is at most one; the caller has locked the invoice. SQL,
 * because every payment on request asks for it.
 */
export async function runningAttempt(tx: Queryable, invoiceId: string): Promise<RunningAttempt | null> {
  const [row] = await tx.query<RunningAttempt>(
    `select ask_at is not null as "isWaiting" from payment_attempt where invoice_id = $1 and status = 'processing'`,
    [invoiceId],
  );
  return row ?? null;
}
