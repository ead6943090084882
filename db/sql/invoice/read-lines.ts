import type { ChargedLine } from '../../../billing/invoice/types.ts';
import type { Queryable } from '../../connect.ts';
import { type LineRow, toLine } from '../../mapping/line.ts';

/**
 * The lines of invoices, in the order in which they stand there. SQL, because a page of invoices reads the lines of all
 * of them at once.
 */
export async function linesOfInvoices(db: Queryable, invoiceIds: readonly string[]): Promise<Map<string, ChargedLine[]>> {
  const rows = await db.query<LineRow>(
    'select * from invoice_item where invoice_id = any($1::text[]) order by invoice_id, created, position, id',
    [invoiceIds],
  );
  return Map.groupBy(rows.map(toLine), (line) => line.invoiceId ?? '');
}
