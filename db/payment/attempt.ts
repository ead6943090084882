import type { Instant } from '../../billing/calendar/instant.ts';
import type { PaymentAttemptState } from '../../billing/lifecycle/payment-attempt.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { ProviderName } from '../../billing/payment/types.ts';
import type { Queryable } from '../connect.ts';

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
  status: PaymentAttemptState;
  reason: string | null;
  providerKey: string;
  reference: string | null;
  calledAt: Instant | null;
  askAt: Instant | null;
  created: Instant;
  ended: Instant | null;
}

export const ATTEMPT_COLUMNS = `id, vendor_id as "vendorId", customer_id as "customerId", invoice_id as "invoiceId", test_clock_id as "clockId",
  method_id as "methodId", provider, origin, amount, currency, status, reason, provider_key as "providerKey", reference,
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
