import type { Queryable } from '../../connect.ts';
import { INVOICE_COLUMNS, INVOICE_FROM, type InvoiceRecord } from './columns.ts';

/**
 * An invoice as it is shown. SQL, because it has the columns of the list page, with the state and the time of its
 * customer.
 */
export async function readInvoice(db: Queryable, vendorId: string, id: string): Promise<InvoiceRecord | null> {
  const [row] = await db.query<InvoiceRecord>(
    `select ${INVOICE_COLUMNS} from ${INVOICE_FROM} where invoice.vendor_id = $1 and invoice.id = $2`,
    [vendorId, id],
  );
  return row ?? null;
}

/** Invoices by id, as they are shown. SQL, as for one of them. */
export const readInvoices = (db: Queryable, ids: readonly string[]): Promise<InvoiceRecord[]> =>
  db.query<InvoiceRecord>(`select ${INVOICE_COLUMNS} from ${INVOICE_FROM} where invoice.id = any($1::text[])`, [ids]);
