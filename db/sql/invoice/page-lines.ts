import type { ChargedLine } from '../../../billing/invoice/types.ts';
import type { Queryable } from '../../connect.ts';
import { lineProjection } from '../projections.ts';

/** A part of an invoice's lines, in the order in which they stand there. */
export interface InvoiceLinePage {
  lines: ChargedLine[];
  /** the line behind which the next ones stand; null: there are none */
  next: string | null;
}

const PAGE = `select ${lineProjection.columns('i')} from invoice_item i
  where i.invoice_id = $1 and ($2::text is null or (i.created, i.position, i.id) >
    (select l.created, l.position, l.id from invoice_item l where l.invoice_id = $1 and l.id = $2))
  order by i.created, i.position, i.id limit $3`;

/**
 * At most `limit` lines of an invoice behind one of them, or the first ones. SQL, because a page is read from a place
 * on by three columns at once: an invoice may have thousands of lines.
 *
 * @param after id of a line of the invoice; behind one that it doesn't have there is nothing
 */
export async function pageOfLines(db: Queryable, invoiceId: string, after: string | null, limit: number): Promise<InvoiceLinePage> {
  const rows = await db.query(PAGE, [invoiceId, after, limit + 1]);
  const lines = rows.slice(0, limit).map(lineProjection.read);
  return { lines, next: rows.length > limit ? (lines.at(-1)?.id ?? null) : null };
}
