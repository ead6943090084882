import type { InvoiceState } from '../../../billing/lifecycle/invoice.ts';
import type { Currency } from '../../../billing/money/currency.ts';

/** An invoice as it stands, with what its customer's state and time say of it. */
export interface InvoiceRecord {
  id: string;
  customerId: string;
  contractId: string | null;
  number: string;
  date: number;
  dueDate: number;
  status: InvoiceState;
  currency: Currency;
  total: string;
  amountDue: string;
  automatic: boolean;
  depositTransactionStatus: 'not_processed' | 'processing' | 'succeeded' | 'failed';
  depositTransactionId: string | null;
  externalReference: string | null;
  customerStatus: 'active' | 'inactive' | 'temporary';
  /** the customer's time */
  now: number;
}

export const INVOICE_COLUMNS = `invoice.id, invoice.customer_id as "customerId", invoice.contract_id as "contractId", invoice.printed_number as number,
  invoice.date, invoice.due_date as "dueDate", invoice.status, invoice.currency, invoice.total, invoice.amount_due as "amountDue",
  invoice.automatic, invoice.deposit_transaction_status as "depositTransactionStatus", invoice.deposit_transaction_id as "depositTransactionId",
  invoice.external_reference as "externalReference", customer.status as "customerStatus",
  coalesce((select t.now from test_clock t where t.id = invoice.test_clock_id), now()) as now`;

export const INVOICE_FROM = 'invoice join customer on customer.id = invoice.customer_id';

/**
 * A voided invoice is shown as one that awaits its validation, with nothing due: a filter by that status means both.
 */
export function statesShownAs(status: string | undefined): string[] | undefined {
  if (status === undefined) return undefined;
  return status === 'pending_validation' ? [status, 'voided'] : [status];
}
