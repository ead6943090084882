import type { Queryable } from '../../connect.ts';

const SQL = `update invoice_item set voided = true where id = any($1::text[]) and invoice_id is null and not voided returning id`;

/**
 * Takes back lines that wait for an invoice and that another line undoes: the rows stay, and count for nothing. SQL:
 * those of a whole batch in one statement.
 */
export async function voidWaiting(tx: Queryable, ids: readonly string[]): Promise<void> {
  const voided = await tx.query(SQL, [ids]);
  if (voided.length !== ids.length) throw new Error('a line that waited was put on an invoice meanwhile');
}
