import type { Queryable } from '../../connect.ts';

const SQL = `update invoice_item set invoice_id = x.invoice_id from unnest($1::text[], $2::text[]) as x(id, invoice_id)
  where invoice_item.id = x.id and invoice_item.invoice_id is null returning invoice_item.id`;

/**
 * Puts waiting lines on their invoices. SQL: each line gets its own invoice, in one statement for a whole batch.
 *
 * @param invoiceOf by line
 * @returns ids of the lines that were still waiting
 */
export async function linkLines(tx: Queryable, invoiceOf: ReadonlyMap<string, string>): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(SQL, [[...invoiceOf.keys()], [...invoiceOf.values()]]);
  return rows.map(({ id }) => id);
}
