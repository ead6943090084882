import type { ChargedLine } from '../../../billing/invoice/types.ts';
import type { Queryable } from '../../connect.ts';
import { lineProjection } from '../projections.ts';

const SQL = `select ${lineProjection.columns('i')} from invoice_item i
  where i.invoice_id = any($1::text[]) order by i.invoice_id, i.created, i.position, i.id`;

/**
 * The lines of invoices, in the order in which they stand there. SQL, because a page of invoices reads the lines of all
 * of them at once.
 */
export async function linesOfInvoices(db: Queryable, invoiceIds: readonly string[]): Promise<Map<string, ChargedLine[]>> {
  const rows = await db.query(SQL, [invoiceIds]);
  return Map.groupBy(rows.map(lineProjection.read), (line) => line.invoiceId ?? '');
}

/** How many lines some invoices have, and the one with the most. SQL: one look at an index. */
export async function countInvoiceLines(db: Queryable, invoiceIds: readonly string[]): Promise<{ total: number; longest: number }> {
  const [row] = await db.query<{ total: number; longest: number }>(
    `select coalesce(sum(n), 0)::int as total, coalesce(max(n), 0)::int as longest
     from (select count(*) as n from invoice_item where invoice_id = any($1::text[]) group by invoice_id) i`,
    [invoiceIds],
  );
  return row ?? { total: 0, longest: 0 };
}
