import type { PaymentAttemptRecord } from '../../entities/payment.ts';

/** One try to pay an invoice or a gate, as it stands in the database. */
export type Attempt = PaymentAttemptRecord;

/** An attempt to pay an invoice. */
export type AttemptOfInvoice = Attempt & { invoiceId: string };

/** SQL: the columns of an attempt. */
export const ATTEMPT_COLUMNS = `id, vendor_id as "vendorId", customer_id as "customerId", invoice_id as "invoiceId", gate_id as "gateId", test_clock_id as "clockId",
  method_id as "methodId", provider, origin, amount, currency, status, reason, retryable, provider_key as "providerKey", reference,
  called_at as "calledAt", ask_at as "askAt", return_url as "returnUrl", created, ended, ledger_transaction_id as "ledgerTransactionId"`;
