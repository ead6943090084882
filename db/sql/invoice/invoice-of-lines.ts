import type { Queryable } from '../../connect.ts';

/** The invoice that each line is on, null while it waits. SQL: looked up for every invoice of a batch at once. */
export async function invoiceOfLines(tx: Queryable, ids: readonly string[]): Promise<Map<string, string | null>> {
  const rows = await tx.query<{ id: string; invoiceId: string | null }>(
    'select id, invoice_id as "invoiceId" from invoice_item where id = any($1::text[])',
    [ids],
  );
  return new Map(rows.map(({ id, invoiceId }) => [id, invoiceId]));
}
