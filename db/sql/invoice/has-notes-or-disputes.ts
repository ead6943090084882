import type { Queryable } from '../../connect.ts';

interface Found {
  hasNotes: boolean;
  hasDisputes: boolean;
}

const SQL = `select exists (select 1 from credit_note where invoice_id = any($1::text[])) as "hasNotes",
  exists (select 1 from payment_attempt a join payment_dispute d on d.attempt_id = a.id where a.invoice_id = any($1::text[])) as "hasDisputes"`;

/**
 * Whether any of the invoices has credit notes or disputed payments: most have neither, and then no entities are looked
 * for. SQL, because it is two looks at indexes in one statement.
 */
export async function hasNotesOrDisputes(db: Queryable, invoiceIds: readonly string[]): Promise<Found> {
  const [row] = await db.query<Found>(SQL, [invoiceIds]);
  return row ?? { hasNotes: false, hasDisputes: false };
}
