import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

const SQL = `update invoice_item set invoice_id = x.invoice_id, due_date = greatest(invoice_item.due_date, x.date)
  from unnest($1::text[], $2::text[], $3::timestamptz[]) as x(id, invoice_id, date)
  where invoice_item.id = x.id and invoice_item.invoice_id is null returning invoice_item.id`;

/**
 * Puts waiting lines on their invoices, due with them at the earliest. SQL: each line gets its own invoice, in one
 * statement for a whole batch.
 *
 * @param invoiceOf by line
 * @returns ids of the lines that were still waiting
 */
export async function linkLines(tx: Queryable, invoiceOf: ReadonlyMap<string, { id: string; date: Instant }>): Promise<string[]> {
  const invoices = [...invoiceOf.values()];
  const rows = await tx.query<{ id: string }>(SQL, [
    [...invoiceOf.keys()],
    invoices.map(({ id }) => id),
    invoices.map(({ date }) => stamp(date)),
  ]);
  return rows.map(({ id }) => id);
}
