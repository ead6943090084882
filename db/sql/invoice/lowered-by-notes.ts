import type { Queryable } from '../../connect.ts';

/** What credit notes have lowered an invoice by while it was unpaid. SQL: a sum that its statement gives in one row. */
export async function loweredByNotes(db: Queryable, invoiceId: string): Promise<string> {
  const [row] = await db.query<{ reduced: string }>(
    'select coalesce(sum(reduced), 0)::text as reduced from credit_note where invoice_id = $1',
    [invoiceId],
  );
  return row?.reduced ?? '0';
}
