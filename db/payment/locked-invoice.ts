import type { Instant } from '../../billing/calendar/instant.ts';
import type { InvoiceState } from '../../billing/lifecycle/invoice.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { Queryable } from '../connect.ts';

/** An invoice held for a payment: its row is locked until the transaction ends. */
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

const COLUMNS = `id, coalesce((select c.root_id from contract c where c.id = invoice.contract_id), 'customer:' || customer_id) as "workflowId", vendor_id as "vendorId", customer_id as "customerId", contract_id as "contractId", test_clock_id as "clockId", currency,
  status, total, amount_due as "amountDue", due_date as "dueDate", automatic`;

/** Locks in the one order: the customer's wallets of that currency, then the invoice. The customer is held by the caller. */
export async function lockInvoice(tx: Queryable, invoiceId: string): Promise<LockedInvoice | null> {
  await tx.query(
    `select id from wallet where (customer_id, currency) in (select customer_id, currency from invoice where id = $1) order by id for update`,
    [invoiceId],
  );
  const [row] = await tx.query<LockedInvoice>(`select ${COLUMNS} from invoice where id = $1 for update`, [invoiceId]);
  return row ?? null;
}

/** Whose invoice it is; read before anything is locked. */
export async function ownerOf(
  tx: Queryable,
  invoiceId: string,
): Promise<{ vendorId: string; customerId: string; clockId: string | null } | null> {
  const [row] = await tx.query<{ vendorId: string; customerId: string; clockId: string | null }>(
    `select vendor_id as "vendorId", customer_id as "customerId", test_clock_id as "clockId" from invoice where id = $1`,
    [invoiceId],
  );
  return row ?? null;
}
