import type { Instant } from '../../../billing/calendar/instant.ts';
import type { InvoiceState } from '../../../billing/lifecycle/invoice.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';
import { together } from '../../together.ts';

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

const OF_INVOICE = '(customer_id, currency) in (select customer_id, currency from invoice where id = $1)';

/**
 * Locks in the one order: the customer's wallets of that currency, its grants, then the invoice. The caller has locked
 * the customer. SQL, because every step of a payment begins with it: as an entity it would be read, then locked, with
 * two relations.
 */
export async function lockInvoice(tx: Queryable, invoiceId: string): Promise<LockedInvoice | null> {
  const [, , rows] = await together(tx, [
    () => tx.query(`select id from wallet where ${OF_INVOICE} order by id for update`, [invoiceId]),
    () => tx.query(`select id from credit_grant where ${OF_INVOICE} and balance > 0 order by id for update`, [invoiceId]),
    () => tx.query<LockedInvoice>(`select ${COLUMNS} from invoice where id = $1 for update`, [invoiceId]),
  ]);
  return rows[0] ?? null;
}
