import type { Queryable } from '../connect.ts';

/** Nothing is collected for these invoices any more; an attempt that is still open goes on to be asked about. */
export async function closeCollections(tx: Queryable, invoiceIds: readonly string[]): Promise<void> {
  if (invoiceIds.length === 0) return;
  await tx.query(
    `delete from agenda where subject = any($1::text[]) and (kind in ('payment_due', 'payment_retry')
       or (kind = 'payment_answer' and not exists (select 1 from payment_attempt a where a.invoice_id = agenda.subject and a.status = 'processing')))`,
    [invoiceIds],
  );
  await tx.query('delete from dunning where invoice_id = any($1::text[])', [invoiceIds]);
}
