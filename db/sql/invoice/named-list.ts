import type { List } from '../list/list.ts';
import { INVOICE_COLUMNS, type InvoiceRecord } from './columns.ts';
import { invoiceList } from './list.ts';

/** An invoice with the name of who owes it. */
export interface NamedInvoice extends InvoiceRecord {
  customerName: string;
}

/** The invoices of a vendor with the names of their customers. SQL, as all list pages are. */
export const namedInvoiceList = (vendorId: string, filter: Parameters<typeof invoiceList>[1]): List => ({
  ...invoiceList(vendorId, filter),
  select: `${INVOICE_COLUMNS}, customer.name as "customerName"`,
});
