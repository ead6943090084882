import type { Queryable } from '../../connect.ts';

const SUMS = 'select count(*)::int as n, coalesce(sum(tax_amount), 0) as tax from invoice_item where invoice_id = $1';

/** What all lines of an invoice come to. SQL, because Postgres adds up what would be thousands of rows. */
export async function sumsOfLines(db: Queryable, invoiceId: string): Promise<{ count: number; tax: string }> {
  const [row] = await db.query<{ n: number; tax: string }>(SUMS, [invoiceId]);
  return { count: row?.n ?? 0, tax: row?.tax ?? '0' };
}
