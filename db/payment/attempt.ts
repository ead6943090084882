import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { ProviderName } from '../../billing/payment/types.ts';
import type { Queryable } from '../connect.ts';
import { newId } from '../id.ts';
import { insertRows, stamp, stampOrNull } from '../rows.ts';

/** One try to pay an invoice, as it stands in the database. */
export interface Attempt {
  id: string;
  vendorId: string;
  customerId: string;
  invoiceId: string;
  clockId: string | null;
  methodId: string | null;
  provider: ProviderName;
  origin: 'automatic' | 'request' | 'recorded';
  amount: string;
  currency: Currency;
  status: 'processing' | 'succeeded' | 'failed';
  reason: string | null;
  providerKey: string;
  reference: string | null;
  fence: number;
  calledAt: Instant | null;
  askAt: Instant | null;
  created: Instant;
  ended: Instant | null;
}

export const ATTEMPT_COLUMNS = `id, vendor_id as "vendorId", customer_id as "customerId", invoice_id as "invoiceId", test_clock_id as "clockId",
  method_id as "methodId", provider, origin, amount, currency, status, reason, provider_key as "providerKey", reference, fence,
  called_at as "calledAt", ask_at as "askAt", created, ended`;

export async function attemptById(tx: Queryable, id: string, lock: '' | 'for update' = ''): Promise<Attempt | null> {
  const [row] = await tx.query<Attempt>(`select ${ATTEMPT_COLUMNS} from payment_attempt where id = $1 ${lock}`, [id]);
  return row ?? null;
}

/** The open attempt of an invoice: its lease. */
export async function openAttempt(tx: Queryable, invoiceId: string): Promise<Attempt | null> {
  const [row] = await tx.query<Attempt>(
    `select ${ATTEMPT_COLUMNS} from payment_attempt where invoice_id = $1 and status = 'processing' for update`,
    [invoiceId],
  );
  return row ?? null;
}

type NewAttempt = Pick<
  Attempt,
  'vendorId' | 'customerId' | 'invoiceId' | 'clockId' | 'methodId' | 'provider' | 'origin' | 'amount' | 'currency' | 'created'
> & { keyOf: (attemptId: string) => string; recorded?: { reference: string | null } };

/** Opens an attempt, or writes one that was recorded and is over already. A second open one is refused by the database. */
export async function insertAttempt(tx: Queryable, attempt: NewAttempt): Promise<string> {
  const id = newId('Pay');
  const { recorded } = attempt;
  await insertRows(tx, 'payment_attempt', [
    {
      id,
      vendor_id: attempt.vendorId,
      customer_id: attempt.customerId,
      invoice_id: attempt.invoiceId,
      test_clock_id: attempt.clockId,
      method_id: attempt.methodId,
      provider: attempt.provider,
      origin: attempt.origin,
      amount: attempt.amount,
      currency: attempt.currency,
      status: recorded === undefined ? 'processing' : 'succeeded',
      provider_key: attempt.keyOf(id),
      reference: recorded?.reference ?? null,
      fence: 1,
      created: stamp(attempt.created),
      ended: stampOrNull(recorded === undefined ? null : attempt.created),
    },
  ]);
  return id;
}
