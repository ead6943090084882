import type { Queryable } from '../../connect.ts';
import { newId } from '../../id.ts';
import { stamp, stampOrNull } from '../../rows.ts';
import { insertRows } from '../rows.ts';
import type { Attempt } from './attempt.ts';

type NewAttempt = Pick<
  Attempt,
  'vendorId' | 'customerId' | 'invoiceId' | 'clockId' | 'methodId' | 'provider' | 'origin' | 'amount' | 'currency' | 'status' | 'created'
> & { gateId?: string; keyOf: (attemptId: string) => string; returnUrl?: string | null; recorded?: { reference: string | null } };

/**
 * Writes attempts that open, or that were recorded and have ended already. A second open one of an invoice is refused
 * by the database. SQL, because a bill run opens those of a batch in one statement.
 */
export async function insertAttempts(tx: Queryable, attempts: readonly NewAttempt[]): Promise<string[]> {
  const rows = attempts.map((attempt) => rowOf(newId('Pay'), attempt));
  await insertRows(tx, 'payment_attempt', rows);
  return rows.map(({ id }) => id);
}

function rowOf(id: string, attempt: NewAttempt) {
  const { recorded } = attempt;
  return {
    id,
    vendor_id: attempt.vendorId,
    customer_id: attempt.customerId,
    invoice_id: attempt.invoiceId,
    gate_id: attempt.gateId ?? null,
    test_clock_id: attempt.clockId,
    method_id: attempt.methodId,
    provider: attempt.provider,
    origin: attempt.origin,
    amount: attempt.amount,
    currency: attempt.currency,
    status: attempt.status,
    provider_key: attempt.keyOf(id),
    reference: recorded?.reference ?? null,
    return_url: attempt.returnUrl ?? null,
    created: stamp(attempt.created),
    ended: stampOrNull(recorded === undefined ? null : attempt.created),
  };
}
