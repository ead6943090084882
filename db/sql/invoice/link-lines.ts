import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stampOrNull } from '../../rows.ts';

/** Where a line that waited goes. */
export interface LinkedLine {
  id: string;
  invoiceId: string;
  /** null: it stays due when it was */
  dueDate: Instant | null;
}

const SQL = `update invoice_item set invoice_id = x.invoice_id, due_date = coalesce(x.due_date, invoice_item.due_date)
  from unnest($1::text[], $2::text[], $3::timestamptz[]) as x(id, invoice_id, due_date)
  where invoice_item.id = x.id and invoice_item.invoice_id is null returning invoice_item.id`;

/**
 * Puts waiting lines on their invoices. SQL: each line gets its own invoice, in one statement for a whole batch.
 *
 * @returns ids of the lines that were still waiting
 */
export async function linkLines(tx: Queryable, lines: readonly LinkedLine[]): Promise<string[]> {
  const params = [lines.map(({ id }) => id), lines.map(({ invoiceId }) => invoiceId), lines.map(({ dueDate }) => stampOrNull(dueDate))];
  const rows = await tx.query<{ id: string }>(SQL, params);
  return rows.map(({ id }) => id);
}
