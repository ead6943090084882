import type { Instant } from '../../../billing/calendar/instant.ts';
import type { InvoiceState } from '../../../billing/lifecycle/invoice.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';

/** An invoice locked for a payment, until the transaction ends. */
export interface LockedInvoice {
  id: string;
  vendorId: string;
  customerId: string;
  contractId: string | null;
  /** the workflow that waits for what is due of it */
  workflowId: string;
  clockId: string | null;
  currency: Currency;
  status: InvoiceState;
  total: string;
  amountDue: string;
  dueDate: Instant;
  automatic: boolean;
}

const COLUMNS = `id, coalesce((select c.root_id from contract c where c.id = invoice.contract_id), 'customer:' || customer_id) as "workflowId",
  vendor_id as "vendorId", customer_id as "customerId", contract_id as "contractId", test_clock_id as "clockId", currency,
  status, total, amount_due as "amountDue", due_date as "dueDate", automatic`;

/**
 * Locks in the one order: the customer's wallets of that currency, then the invoice. The caller has locked the
 * customer. SQL, because every step of a payment begins with it: as an entity it would be read, then locked, with two
 * relations.
 */
export async function lockInvoice(tx: Queryable, invoiceId: string): Promise<LockedInvoice | null> {
  await tx.query(
    `select id from wallet where (customer_id, currency) in (select customer_id, currency from invoice where id = $1) order by id for update`,
    [invoiceId],
  );
  const [row] = await tx.query<LockedInvoice>(`select ${COLUMNS} from invoice where id = $1 for update`, [invoiceId]);
  return row ?? null;
}
